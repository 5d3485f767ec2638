// CSV as spreadsheets write it (RFC 4180): quotes, line breaks in cells, a comma or a semicolon.

/** The rows of a CSV text, without empty lines. */
export function readCsv(text: string): string[][] {
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const comma = head.split(';').length > head.split(',').length ? ';' : ','
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const endRow = (): void => {
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        const end = text.indexOf('"', at)
        cell += text.slice(at, end === -1 ? text.length : end)
        at = end === -1 ? text.length : end + 1
        if (text[at] !== '"') break
        cell += '"'
      }
    } else {
      let end = at
      while (end < text.length && text[end] !== comma && text[end] !== '\n' && text[end] !== '\r') end++
      cell = text.slice(at, end)
      at = end
    }
    row.push(cell)
    if (text[at] === comma) {
      at++
      if (at === text.length) row.push('')
      continue
    }
    // Text after a closing quote is not part of the cell.
    while (at < text.length && text[at] !== '\n') at++
    at++
    endRow()
  }
  if (row.length > 0) endRow()
  return rows
}

/** A row of CSV. An apostrophe is put before cells that a spreadsheet would take for a formula. */
export const csvRow = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell) => {
      const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell)
      return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    .join(',')
