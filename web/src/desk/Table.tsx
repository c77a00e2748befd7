// A table of a document as a table of the page, spans and header cells included.
import type { ComponentChildren } from "preact";
import type { Grid } from "../types";
import { said } from "../ui/said";
import { Wide } from "../ui/wide";
import { isNumber, isOneWord } from "../words";
import { t } from "../wording";

/** What stands in a column of numbers where there is none. */
const NOTHING = /^(?:[-–—.…]+|n\/?a)$/i;

/** `says`: the cell, by its place among the grid's, that says what is answered; `toward`: see `Wide`. */
export function Table({ grid, printed, says, toward }: { grid: Grid; printed?: (text: string) => ComponentChildren; says?: number; toward?: string }) {
  const rows = Array.from({ length: grid.rows }, (_, row) => grid.cells.filter((cell) => cell.row === row).sort((a, b) => a.column - b.column));
  const numeric = new Set(grid.cells.filter((cell) => cell.row >= grid.header_rows && isNumber(cell.text)).map((cell) => cell.column));
  const answering = says === undefined || says < 0 ? null : grid.cells[says];
  const look = (cell: Grid["cells"][number]): string | undefined => {
    const heads = cell.row < grid.header_rows && cell.columns <= 1 && numeric.has(cell.column) && cell.column >= grid.header_columns;
    const isBlank = NOTHING.test(cell.text) && numeric.has(cell.column) && cell.row >= grid.header_rows;
    return heads || isBlank || isNumber(cell.text) ? "n" : undefined;
  };
  return (
    <Wide label={t("Table")} toward={toward}>
      <table dir="auto">
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {filled(cells, grid, row).map((cell, index) => {
                if (!cell) return <td key={index} />;
                const Tag = row < grid.header_rows || cell.column < grid.header_columns ? "th" : "td";
                const scope = Tag === "td" ? undefined : row < grid.header_rows ? (cell.columns > 1 ? "colgroup" : "col") : "row";
                return (
                  <Tag key={index} scope={scope} rowSpan={cell.rows > 1 ? cell.rows : undefined} colSpan={cell.columns > 1 ? cell.columns : undefined} class={[look(cell), isOneWord(cell.text) && "one", cell === answering && "says"].filter(Boolean).join(" ") || undefined}>
                    {printed ? printed(cell.text) : said(cell.text)}
                  </Tag>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

/** The cells of a row with the empty ones put in, which the grid leaves out. */
function filled(cells: Grid["cells"], grid: Grid, row: number): (Grid["cells"][number] | null)[] {
  const found: (Grid["cells"][number] | null)[] = [];
  for (let column = 0; column < grid.columns; ) {
    const cell = cells.find((one) => one.column === column);
    if (cell) {
      found.push(cell);
      column += Math.max(1, cell.columns);
    } else {
      const covered = grid.cells.some((one) => one.row < row && row < one.row + one.rows && one.column <= column && column < one.column + one.columns);
      if (!covered) found.push(null);
      column++;
    }
  }
  return found;
}
