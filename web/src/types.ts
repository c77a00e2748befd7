// What the API says, by the names that the viewer has for it, and what the server wrote into the page it sent.
import type { Answer, Citation, Cited, Document, Documents, EntityRow, Finds, Layer, Page, Problem, Status, Words } from "./api-types";

export type * from "./api-types";
export type { Problem as ProblemBody, Table as Grid } from "./api-types";

export type Box = Citation["box"];
export type Occurrence = Finds["documents"][number]["places"][number];
export type Word = Words["words"][number];
/** What a citation and a passage share. */
export type Place = Omit<Citation, "quote">;
/** The layer of entities: its rows are of one kind. */
export type EntityLayer = Omit<Layer, "rows"> & { rows: EntityRow[] };

export interface Start {
  view?: string;
  status?: Status;
  documents?: Documents;
  match?: string;
  document?: Document;
  page?: Page;
  citation?: Cited;
  answer?: Answer;
  problem?: Pick<Problem, "status" | "title" | "detail">;
}
