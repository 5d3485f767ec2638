// The bank's documents as PDF: statements and tax certificates. Pure: plain data in, bytes out, and the same data
// give the same bytes on every machine. pdfkit is loaded when the first document is written.
import { setImmediate as pause } from 'node:timers/promises'
import type PDFDocument from 'pdfkit'
import { type Style, TextWriter, inFont } from './text.js'

type Pdf = InstanceType<typeof PDFDocument>

/** The account of the document; a value that is too long for its place is cut. */
export interface DocumentAccount {
  readonly accountNumber: string
  readonly accountName: string
  readonly productName: string
  readonly referenceName: string
  /** The addressee of the document. */
  readonly profileName: string
}

/** One posted transaction on a statement. */
export interface StatementRow {
  /** ISO 8601 date. */
  readonly postingDate: string
  readonly description: string
  /** Integer cents, negative for a debit. */
  readonly amountCents: number
  /** The balance after it, integer cents. */
  readonly balanceCents: number
}

/** The contents of a statement. Dates are ISO 8601 dates; amounts are integer cents. */
export interface StatementData {
  readonly bank: { readonly name: string }
  readonly account: DocumentAccount
  readonly fromDate: string
  readonly toDate: string
  readonly openingCents: number
  readonly closingCents: number
  readonly rows: readonly StatementRow[]
}

/** The contents of a tax certificate. Dates are ISO 8601 dates; amounts are integer cents. */
export interface TaxCertificateData {
  readonly bank: { readonly name: string }
  readonly account: DocumentAccount
  readonly taxYear: { readonly fromDate: string; readonly toDate: string }
  readonly certificateNumber: string
  readonly openingCents: number
  readonly closingCents: number
  /** What the bank paid the client. */
  readonly interestEarnedCents: number
  /** What the client paid the bank. */
  readonly interestPaidCents: number
  readonly feesCents: number
}

// A4 in points.
const paper = { width: 595.28, height: 841.89 }
const left = 48
const right = paper.width - left
const footerY = paper.height - 42

const muted = '#667085'
const accent = '#1f3a5f'
const band = '#f3f5f8'
const hairline = '#c9d0da'

interface LimitedStyle extends Style {
  /** The maximum width: longer text is cut. */
  readonly until?: number
}

/** The document that is drawn on. */
interface Canvas {
  readonly pdf: Pdf
  readonly text: TextWriter
}

/**
 * A statement, the answer of `…/document/Statement/{documentDate}`: every row with the balance after it, the totals
 * of debits and credits, and the two balances as given, in rand as `1,234.56`. Nothing is checked; only the totals
 * are computed.
 *
 * Text is selectable. Characters that the standard fonts lack are written as `?`; text that is too long for its place
 * is cut.
 */
export async function statementPdf(statement: StatementData): Promise<Uint8Array> {
  const { bank, account, fromDate, toDate, openingCents, closingCents, rows } = statement
  const period = `${fromDate} to ${toDate}`
  const debitCents = sum(rows.map(({ amountCents }) => Math.max(-amountCents, 0)))
  const creditCents = sum(rows.map(({ amountCents }) => Math.max(amountCents, 0)))
  const lines: Line[] = [
    { date: fromDate, description: 'Opening balance', balanceCents: openingCents, bold: true },
    ...rows.map(statementLine),
    { description: 'Total debits and credits', debitCents, creditCents, bold: true },
    { date: toDate, description: 'Closing balance', balanceCents: closingCents, bold: true },
  ]
  const firstTableY = 208
  const tableY = 118
  const pages = paginate(lines, linesFrom(firstTableY), linesFrom(tableY))

  return render({ title: `Statement ${period}`, toDate }, async (canvas) => {
    for (const [index, pageLines] of pages.entries()) {
      canvas.pdf.addPage()
      drawHeader(canvas, bank.name, 'Account statement')
      if (index === 0) {
        drawDetails(canvas, account, ['Statement period', period])
        drawSummary(canvas, [
          ['Opening balance', openingCents],
          ['Debits', debitCents],
          ['Credits', creditCents],
          ['Closing balance', closingCents],
        ])
      } else {
        write(canvas, `${account.accountName}, ${account.accountNumber}`, left, 92.5, { size: 9, until: 360 })
        writeRight(canvas, period, right, 92.5, { size: 9, colour: muted })
      }
      drawTable(canvas, pageLines, index === 0 ? firstTableY : tableY)
      drawFooter(canvas, index + 1, pages.length)
      // A long statement has hundreds of pages: other calls are answered between pages.
      await pause()
    }
  })
}

/**
 * A tax certificate, the answer of `…/document/TaxCertificate/{documentDate}`: interest earned and paid, fees, and
 * the balances at both ends of a tax year, in rand, on one page. Text is treated as in `statementPdf`.
 */
export async function taxCertificatePdf(certificate: TaxCertificateData): Promise<Uint8Array> {
  const { bank, account, taxYear, certificateNumber } = certificate
  const period = `${taxYear.fromDate} to ${taxYear.toDate}`
  const figures: readonly (readonly [string, number])[] = [
    [`Balance on ${taxYear.fromDate}`, certificate.openingCents],
    ['Interest earned', certificate.interestEarnedCents],
    ['Interest paid', certificate.interestPaidCents],
    ['Fees charged', certificate.feesCents],
    [`Balance on ${taxYear.toDate}`, certificate.closingCents],
  ]
  return render({ title: `Tax certificate ${period}`, toDate: taxYear.toDate }, (canvas) => {
    canvas.pdf.addPage()
    drawHeader(canvas, bank.name, 'Tax certificate')
    drawDetails(canvas, account, ['Tax year', period])
    write(canvas, 'Certificate number', left, 155.5, { size: 8, colour: muted })
    write(canvas, certificateNumber, left + 92, 155.5, { size: 9, bold: true, until: right })
    const top = 186
    drawTableHead(canvas, top)
    write(canvas, 'For the tax year', left + 6, top + 13, { size: 8, bold: true, colour: '#ffffff' })
    writeRight(canvas, 'Amount (ZAR)', right - 6, top + 13, { size: 8, bold: true, colour: '#ffffff' })
    for (const [index, [label, cents]] of figures.entries()) {
      const y = top + 20 + index * 24
      if (index % 2 === 1) canvas.pdf.rect(left, y, right - left, 24).fill(band)
      write(canvas, label, left + 6, y + 15, { size: 9.5 })
      writeRight(canvas, formatCents(cents), right - 6, y + 15, { size: 9.5, bold: true })
    }
    const bottom = top + 20 + figures.length * 24
    rule(canvas, bottom)
    write(
      canvas,
      `${bank.name} certifies that these figures are those of the account named above for the tax year shown.`,
      left,
      bottom + 20,
      { size: 8.5, colour: muted, until: right },
    )
    drawFooter(canvas, 1, 1)
  })
}

interface Line {
  readonly date?: string
  readonly description: string
  readonly debitCents?: number
  readonly creditCents?: number
  readonly balanceCents?: number
  readonly bold?: boolean
}

function statementLine({ postingDate, description, amountCents, balanceCents }: StatementRow): Line {
  const side = amountCents < 0 ? { debitCents: -amountCents } : { creditCents: amountCents }
  return { date: postingDate, description, balanceCents, ...side }
}

const lineHeight = 15.5
const headHeight = 20

function linesFrom(tableY: number): number {
  return Math.floor((footerY - 12 - tableY - headHeight) / lineHeight)
}

function paginate<T>(items: readonly T[], first: number, following: number): T[][] {
  const pages = [items.slice(0, first)]
  for (let start = first; start < items.length; start += following) {
    pages.push(items.slice(start, start + following))
  }
  return pages
}

// Left edges of left-aligned columns, right edges of the amounts.
const columns = { date: left + 6, description: left + 60, debit: 384, credit: 460, balance: right - 6 }
const descriptionEnd = 318

function drawTable(canvas: Canvas, lines: readonly Line[], top: number): void {
  drawTableHead(canvas, top)
  const head = { size: 8, bold: true, colour: '#ffffff' }
  write(canvas, 'Date', columns.date, top + 13, head)
  write(canvas, 'Description', columns.description, top + 13, head)
  writeRight(canvas, 'Debit', columns.debit, top + 13, head)
  writeRight(canvas, 'Credit', columns.credit, top + 13, head)
  writeRight(canvas, 'Balance (ZAR)', columns.balance, top + 13, head)
  for (let index = 1; index < lines.length; index += 2)
    canvas.pdf.rect(left, top + headHeight + index * lineHeight, right - left, lineHeight)
  if (lines.length > 1) canvas.pdf.fill(band)
  for (const [index, line] of lines.entries()) {
    const y = top + headHeight + index * lineHeight
    const style = { size: 8, bold: line.bold ?? false }
    const amount = (cents: number | undefined, edge: number) => {
      if (cents !== undefined) writeRight(canvas, formatCents(cents), edge, y + 10.6, style)
    }
    write(canvas, line.date ?? '', columns.date, y + 10.6, style)
    write(canvas, line.description, columns.description, y + 10.6, { ...style, until: descriptionEnd })
    amount(line.debitCents, columns.debit)
    amount(line.creditCents, columns.credit)
    amount(line.balanceCents, columns.balance)
  }
  rule(canvas, top + headHeight + lines.length * lineHeight)
}

function drawTableHead(canvas: Canvas, top: number): void {
  canvas.pdf.rect(left, top, right - left, headHeight).fill(accent)
}

function drawHeader(canvas: Canvas, bankName: string, title: string): void {
  write(canvas, bankName, left, 58, { size: 17, bold: true, colour: accent, until: 380 })
  writeRight(canvas, title, right, 58, { size: 13 })
  canvas.pdf.rect(left, 72, right - left, 1.5).fill(accent)
}

function drawDetails(canvas: Canvas, account: DocumentAccount, last: readonly [string, string]): void {
  const middle = 318
  const details = [
    ['Account holder', account.profileName, 'Account number', account.accountNumber],
    ['Account name', account.accountName, 'Product', account.productName],
    ['Reference', account.referenceName, ...last],
  ] as const
  for (const [index, [label, value, otherLabel, otherValue]] of details.entries()) {
    const y = 95.5 + index * 17
    write(canvas, label, left, y, { size: 8, colour: muted })
    write(canvas, value, left + 92, y, { size: 9, until: middle - 10 })
    write(canvas, otherLabel, middle, y, { size: 8, colour: muted })
    write(canvas, otherValue, middle + 82, y, { size: 9, until: right })
  }
}

function drawSummary(canvas: Canvas, figures: readonly (readonly [string, number])[]): void {
  const gap = 8
  const width = (right - left - gap * (figures.length - 1)) / figures.length
  for (const [index, [label, cents]] of figures.entries()) {
    const x = left + index * (width + gap)
    canvas.pdf.rect(x, 150, width, 42).fill(band)
    write(canvas, label, x + 10, 164, { size: 8, colour: muted })
    write(canvas, formatCents(cents), x + 10, 180, { size: 11, bold: true })
  }
}

function drawFooter(canvas: Canvas, page: number, pages: number): void {
  rule(canvas, footerY)
  const style = { size: 7.5, colour: muted }
  write(canvas, 'Sandbox document: the money and the client are made up.', left, footerY + 13.5, style)
  writeRight(canvas, `Page ${page} of ${pages}`, right, footerY + 13.5, style)
  canvas.text.flush()
}

function rule({ pdf }: Canvas, y: number): void {
  pdf.rect(left, y, right - left, 0.6).fill(hairline)
}

function write({ text: writer }: Canvas, text: string, x: number, y: number, style: LimitedStyle): void {
  const known = inFont(text)
  writer.write(
    style.until === undefined ? known : cut(known, style.until - x, (part) => writer.widthOf(part, style)),
    x,
    y,
    style,
  )
}

function writeRight({ text: writer }: Canvas, text: string, edge: number, y: number, style: Style): void {
  writer.writeRight(inFont(text), edge, y, style)
}

// More characters than fit on a line in the narrowest glyph, so that a text of a megabyte is not measured.
const maxLineWidth = 400

function cut(text: string, width: number, widthOf: (text: string) => number): string {
  if (text.length <= maxLineWidth && widthOf(text) <= width) return text
  let fits = 0
  let tooLong = Math.min(text.length, maxLineWidth)
  while (tooLong - fits > 1) {
    const length = Math.floor((fits + tooLong) / 2)
    if (widthOf(`${text.slice(0, length)}…`) <= width) fits = length
    else tooLong = length
  }
  return `${text.slice(0, fits).trimEnd()}…`
}

function formatCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const rand = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${cents < 0 ? '-' : ''}${rand}.${digits.slice(-2)}`
}

function sum(cents: readonly number[]): number {
  return cents.reduce((total, next) => total + next, 0)
}

interface Metadata {
  readonly title: string
  readonly toDate: string
}

// Uncompressed, because zlib's output differs between Node versions and processors. Dated with its own last day,
// because pdfkit derives the file's ID from the date and would otherwise read the wall clock. The metadata contain no
// name, because pdfkit writes it into XML without escaping.
async function render(
  { title, toDate }: Metadata,
  draw: (canvas: Canvas) => void | Promise<void>,
): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({
    autoFirstPage: false,
    compress: false,
    displayTitle: true,
    info: {
      Title: title,
      Creator: 'sandbox-server',
      CreationDate: new Date(`${toDate}T00:00:00Z`),
    },
    lang: 'en-ZA',
    margin: 0,
    pdfVersion: '1.7',
    size: 'A4',
  })
  await draw({ pdf, text: new TextWriter(pdf) })
  pdf.end()
  const chunks: Uint8Array[] = []
  for await (const chunk of pdf) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
