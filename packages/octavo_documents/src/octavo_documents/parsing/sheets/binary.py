"""XLS (Excel 97 to 2003) and XLSB, by calamine.

The bare values of any workbook are read by it too (`rows_of`).

Fonts and number formats of cells and what is hidden are read beside it (`xls_looks`, `xlsb_looks`). calamine passes
over cells that leave out their column where it is the next one (BrtShort* of MS-XLSB 2.4), as SheetJS writes them:
they are written out with their columns before it reads the file.
"""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from octavo_documents.parsing.embedded_objects import embedded_in, embedded_in_workbook
from octavo_documents.parsing.flow import FlowContent, NoText, attached
from octavo_documents.parsing.package import OLE_MARK, ZIP_MARK, Package
from octavo_documents.parsing.sheets import numbers, xls_looks, xlsb_looks, xlsx
from octavo_documents.parsing.sheets.blocks import sheet_blocks
from octavo_documents.parsing.sheets.cell_looks import PLAIN, SheetLooks
from octavo_documents.parsing.sheets.hidden_cells import warnings_of
from octavo_documents.parsing.sheets.hostile_workbooks import (
    check_chains,
    check_places_of_xls,
    check_places_of_xlsb,
)
from octavo_documents.parsing.sheets.numbers_in_records import u32
from octavo_documents.parsing.sheets.sheet import CellBudget, Sheet
from octavo_documents.parsing.sheets.xlsb_looks import LAST_CELL, ROW, records

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

_SHORT = range(12, 19)
"""Records of cells without a column: of the types of seven with one, 11 more."""
_FEW = 2000
"""Records in which a writer that leaves out columns has done so."""


def with_columns(data: bytes, package: Package) -> bytes:
    """Return a file with the columns of all cells written out; the file itself where none lacks. Raises NoText."""
    sheets = {name: package.read(name) for name in package.names() if _is_sheet(name)}
    if not any(map(_has_short, sheets.values())):
        return data
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        for name in package.names():
            part = sheets.get(name)
            archive.writestr(name, package.read(name) if part is None else b"".join(_written(part)))
    return kept.getvalue()


def _is_sheet(name: str) -> bool:
    return name.lower().startswith("xl/worksheets/") and name.lower().endswith(".bin")


def _has_short(sheet: bytes) -> bool:
    return any(kind in _SHORT for (kind, _, _), _ in zip(records(sheet), range(_FEW), strict=False))


def _written(sheet: bytes) -> Iterator[bytes]:
    """Yield the records of a sheet, those of cells with their columns."""
    column = whole = 0
    for kind, start, end in records(sheet):
        body = sheet[start:end]
        if kind == ROW:
            column = -1
        elif 0 < kind <= LAST_CELL and len(body) >= 4:
            column = u32(body, 0)
        elif kind in _SHORT:
            column += 1
            yield bytes((kind - LAST_CELL,)) + _size(len(body) + 4) + column.to_bytes(4, "little") + body
            whole = end
            continue
        yield sheet[whole:end]
        whole = end


def _size(size: int) -> bytes:
    """Return a size of seven bits a byte, the lowest first."""
    parts = [size & 0x7F | 0x80, size >> 7 & 0x7F | 0x80, size >> 14 & 0x7F | 0x80, size >> 21 & 0x7F]
    while len(parts) > 1 and not parts[-1] & 0x7F:
        parts.pop()
    parts[-1] &= 0x7F
    return bytes(parts)


CellValue = str | float | bool | datetime.date | datetime.datetime | datetime.time | datetime.timedelta
"""What stands in a cell."""
_PANIC = "PanicException"


def read(data: bytes) -> FlowContent:
    """Return the sheets of a workbook. Raises NoText."""
    if not data.startswith(ZIP_MARK):
        check_chains(data)
        stream = xls_looks.workbook_in(data)
        check_places_of_xls(stream)
        sheets = _sheets(_opened(data), xls_looks.looks_of(stream))
        carried = embedded_in_workbook(data)
    else:
        package = Package(data)
        if "xl/workbook.xml" in package:
            return xlsx.read(data)
        parts = [*filter(_is_sheet, package.names())]
        check_places_of_xlsb(package, parts)
        carried = embedded_in(package, parts)
        data = with_columns(data, package)
        sheets = _sheets(_opened(data), _looks_of(Package(data)))
    blocks = (*sheet_blocks(sheets), *(attached(one, 1) for one in carried))
    return FlowContent(blocks, warnings=tuple(warnings_of(sheets)))


def rows_of(data: bytes, name: str) -> list[list[CellValue]]:
    """Return the values of a sheet of any workbook, from its first cell on, "" where nothing stands.

    Raises NoText, also where there is no such sheet.
    """
    from python_calamine import CalamineError

    try:
        return _opened(data).get_sheet_by_name(name).to_python(skip_empty_area=False)
    except (CalamineError, OSError, ValueError) as error:
        raise _damaged(error) from None
    except BaseException as error:  # noqa: BLE001
        raise _panic(error) from None


def _looks_of(package: Package) -> list[SheetLooks]:
    try:
        return xlsb_looks.looks_of(package)
    except NoText:
        return []


def _opened(data: bytes) -> CalamineWorkbook:
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    if not data.startswith((OLE_MARK, ZIP_MARK)):
        raise NoText("its first bytes are not those of such a file, whatever its name says")
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(data))
    except PasswordError:
        raise NoText("it is encrypted; give its password with --password", "encrypted") from None
    except (CalamineError, OSError, ValueError) as error:
        raise _damaged(error) from None
    except BaseException as error:  # noqa: BLE001 - an error inside calamine is a BaseException
        raise _panic(error) from None


def _sheets(book: CalamineWorkbook, looks: Sequence[SheetLooks]) -> list[Sheet]:
    """Return the sheets of a workbook as their looks show them, where these are as many."""
    from python_calamine import CalamineError, SheetVisibleEnum

    found, counted = list[Sheet](), CellBudget()
    all_looks = looks if len(looks) == len(book.sheets_metadata) else [SheetLooks() for _ in book.sheets_metadata]
    for one, look in zip(book.sheets_metadata, all_looks, strict=True):
        sheet = Sheet(one.name, hidden=one.visible != SheetVisibleEnum.Visible)
        found.append(sheet)
        try:
            _fill(sheet, book.get_sheet_by_name(one.name), look, counted)
        except (CalamineError, OSError, ValueError):
            sheet.warnings.append(f'sheet "{one.name}" is damaged and was left out')
        except BaseException as error:  # noqa: BLE001
            raise _panic(error) from None
        look.apply(sheet)
    if not any(sheet.rows for sheet in found) and any(sheet.warnings for sheet in found):
        raise NoText("none of its sheets can be read", "damaged")
    return found


def _fill(sheet: Sheet, cells: CalamineSheet, look: SheetLooks, counted: CellBudget) -> None:
    top, left = cells.start or (0, 0)
    for at, row in enumerate(cells.iter_rows()):
        texts = {
            left + column: text
            for column, value in enumerate(row)
            if value != "" and (text := _shown(value, look.cells.get((top + at, left + column), PLAIN).code))
        }
        if not texts:
            continue
        if not counted.take(len(texts)):
            sheet.warnings.append(
                f'of sheet "{sheet.name}" the rows after {top + at} were left out: there are too many cells'
            )
            return
        sheet.rows[top + at] = texts
    for (first, start), (last, stop) in cells.merged_cell_ranges or ():
        sheet.spans[first, start] = (last - first + 1, stop - start + 1)


def _shown(value: Any, code: str) -> str:
    """Return a value as a cell with this number format shows it; dates without one as ISO 8601 has them."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return numbers.shown(float(value), code)
    if isinstance(value, datetime.timedelta):
        return numbers.shown(value / _DAY, code or "[h]:mm")
    if isinstance(value, datetime.datetime):
        return numbers.shown((value - _EPOCH) / _DAY, code or f"yyyy-mm-dd hh:mm{':ss' if value.second else ''}")
    if isinstance(value, datetime.date):
        return numbers.shown((value - _EPOCH.date()) / _DAY, code or "yyyy-mm-dd")
    if isinstance(value, datetime.time):
        return numbers.shown((value.hour * 60 + value.minute + value.second / 60) / 1440, code or "hh:mm:ss")
    return "" if code and numbers.shows_no_words(code) else str(value).strip()


_DAY = datetime.timedelta(days=1)
_EPOCH = datetime.datetime(1899, 12, 30)


def _damaged(error: BaseException) -> NoText:
    return NoText(f"it is cut off or damaged ({str(error)[:200]})", "damaged")


def _panic(error: BaseException) -> BaseException:
    """Return what an error of calamine's inside says of the file, and any other error as it is."""
    return _damaged(error) if type(error).__name__ == _PANIC else error
