// The bank's documents as PDF: statements and tax certificates. Pure: plain data in, bytes out, and the same data give
// the same bytes on every machine. pdfkit is loaded when the first document is written.
import { setImmediate as pause } from 'node:timers/promises'
import type PDFDocument from 'pdfkit'

type Pdf = InstanceType<typeof PDFDocument>

/** The account that a document is about; a value that does not fit its place is cut. */
export interface DocumentAccount {
  readonly accountNumber: string
  readonly accountName: string
  readonly productName: string
  readonly referenceName: string
  /** Whom the document is made out to. */
  readonly profileName: string
}

/** One posted transaction on a statement. */
export interface StatementRow {
  /** ISO 8601, date only. */
  readonly postingDate: string
  readonly description: string
  /** Integer cents, negative for a debit. */
  readonly amountCents: number
  /** The balance after it, integer cents. */
  readonly balanceCents: number
}

/** What a statement shows. Dates are ISO 8601, date only; amounts are integer cents. */
export interface StatementData {
  readonly bank: { readonly name: string }
  readonly account: DocumentAccount
  readonly fromDate: string
  readonly toDate: string
  readonly openingCents: number
  readonly closingCents: number
  readonly rows: readonly StatementRow[]
}

/** What a tax certificate shows. Dates are ISO 8601, date only; amounts are integer cents. */
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

const ink = '#1c2430'
const muted = '#667085'
const accent = '#1f3a5f'
const band = '#f3f5f8'
const hairline = '#c9d0da'

interface Style {
  readonly size?: number
  readonly bold?: boolean
  readonly colour?: string
  /** Where the text must end: what does not fit is cut. */
  readonly until?: number
}

/**
 * A statement, what `…/document/Statement/{documentDate}` answers: every row with the balance after it, the totals of
 * debits and credits, and the two balances as given, in rand as `1,234.56`. Nothing is checked, and nothing is added up
 * but the totals.
 *
 * Text is selectable; characters that the standard fonts lack are written as `?`, and what is too long for its place is
 * cut.
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

  return render({ title: `Statement ${period}`, toDate }, async (pdf) => {
    for (const [index, pageLines] of pages.entries()) {
      pdf.addPage()
      drawHeader(pdf, bank.name, 'Account statement')
      if (index === 0) {
        drawDetails(pdf, account, ['Statement period', period])
        drawSummary(pdf, [
          ['Opening balance', openingCents],
          ['Debits', debitCents],
          ['Credits', creditCents],
          ['Closing balance', closingCents],
        ])
      } else {
        write(pdf, `${account.accountName}, ${account.accountNumber}`, left, 92.5, { size: 9, until: 360 })
        writeRight(pdf, period, right, 92.5, { size: 9, colour: muted })
      }
      drawTable(pdf, pageLines, index === 0 ? firstTableY : tableY)
      drawFooter(pdf, index + 1, pages.length)
      // A long statement has hundreds of pages: other calls are answered between two of them.
      await pause()
    }
  })
}

/**
 * A tax certificate, what `…/document/TaxCertificate/{documentDate}` answers: interest earned and paid, fees, and the
 * balances at both ends of a tax year, in rand, on one page. Text is treated as in `statementPdf`.
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
  return render({ title: `Tax certificate ${period}`, toDate: taxYear.toDate }, (pdf) => {
    pdf.addPage()
    drawHeader(pdf, bank.name, 'Tax certificate')
    drawDetails(pdf, account, ['Tax year', period])
    write(pdf, 'Certificate number', left, 155.5, { size: 8, colour: muted })
    write(pdf, certificateNumber, left + 92, 155.5, { size: 9, bold: true, until: right })
    const top = 186
    drawTableHead(pdf, top)
    write(pdf, 'For the tax year', left + 6, top + 13, { size: 8, bold: true, colour: '#ffffff' })
    writeRight(pdf, 'Amount (ZAR)', right - 6, top + 13, { size: 8, bold: true, colour: '#ffffff' })
    for (const [index, [label, cents]] of figures.entries()) {
      const y = top + 20 + index * 24
      if (index % 2 === 1) pdf.rect(left, y, right - left, 24).fill(band)
      write(pdf, label, left + 6, y + 15, { size: 9.5 })
      writeRight(pdf, formatCents(cents), right - 6, y + 15, { size: 9.5, bold: true })
    }
    const bottom = top + 20 + figures.length * 24
    rule(pdf, bottom)
    write(
      pdf,
      `${bank.name} certifies that these figures are those of the account named above for the tax year shown.`,
      left,
      bottom + 20,
      { size: 8.5, colour: muted, until: right },
    )
    drawFooter(pdf, 1, 1)
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

// Left edges of what is written from the left, right edges of the amounts.
const columns = { date: left + 6, description: left + 60, debit: 384, credit: 460, balance: right - 6 }
const descriptionEnd = 318

function drawTable(pdf: Pdf, lines: readonly Line[], top: number): void {
  drawTableHead(pdf, top)
  const head = { size: 8, bold: true, colour: '#ffffff' }
  write(pdf, 'Date', columns.date, top + 13, head)
  write(pdf, 'Description', columns.description, top + 13, head)
  writeRight(pdf, 'Debit', columns.debit, top + 13, head)
  writeRight(pdf, 'Credit', columns.credit, top + 13, head)
  writeRight(pdf, 'Balance (ZAR)', columns.balance, top + 13, head)
  for (const [index, line] of lines.entries()) {
    const y = top + headHeight + index * lineHeight
    if (index % 2 === 1) pdf.rect(left, y, right - left, lineHeight).fill(band)
    const style = { size: 8, bold: line.bold ?? false }
    const amount = (cents: number | undefined, edge: number) => {
      if (cents !== undefined) writeRight(pdf, formatCents(cents), edge, y + 10.6, style)
    }
    write(pdf, line.date ?? '', columns.date, y + 10.6, style)
    write(pdf, line.description, columns.description, y + 10.6, { ...style, until: descriptionEnd })
    amount(line.debitCents, columns.debit)
    amount(line.creditCents, columns.credit)
    amount(line.balanceCents, columns.balance)
  }
  rule(pdf, top + headHeight + lines.length * lineHeight)
}

function drawTableHead(pdf: Pdf, top: number): void {
  pdf.rect(left, top, right - left, headHeight).fill(accent)
}

function drawHeader(pdf: Pdf, bankName: string, title: string): void {
  write(pdf, bankName, left, 58, { size: 17, bold: true, colour: accent, until: 380 })
  writeRight(pdf, title, right, 58, { size: 13, colour: ink })
  pdf.rect(left, 72, right - left, 1.5).fill(accent)
}

function drawDetails(pdf: Pdf, account: DocumentAccount, last: readonly [string, string]): void {
  const middle = 318
  const details = [
    ['Account holder', account.profileName, 'Account number', account.accountNumber],
    ['Account name', account.accountName, 'Product', account.productName],
    ['Reference', account.referenceName, ...last],
  ] as const
  for (const [index, [label, value, otherLabel, otherValue]] of details.entries()) {
    const y = 95.5 + index * 17
    write(pdf, label, left, y, { size: 8, colour: muted })
    write(pdf, value, left + 92, y, { size: 9, until: middle - 10 })
    write(pdf, otherLabel, middle, y, { size: 8, colour: muted })
    write(pdf, otherValue, middle + 82, y, { size: 9, until: right })
  }
}

function drawSummary(pdf: Pdf, figures: readonly (readonly [string, number])[]): void {
  const gap = 8
  const width = (right - left - gap * (figures.length - 1)) / figures.length
  for (const [index, [label, cents]] of figures.entries()) {
    const x = left + index * (width + gap)
    pdf.rect(x, 150, width, 42).fill(band)
    write(pdf, label, x + 10, 164, { size: 8, colour: muted })
    write(pdf, formatCents(cents), x + 10, 180, { size: 11, bold: true })
  }
}

function drawFooter(pdf: Pdf, page: number, pages: number): void {
  rule(pdf, footerY)
  const style = { size: 7.5, colour: muted }
  write(pdf, 'Sandbox document: the money and the client are made up.', left, footerY + 13.5, style)
  writeRight(pdf, `Page ${page} of ${pages}`, right, footerY + 13.5, style)
}

function rule(pdf: Pdf, y: number): void {
  pdf.rect(left, y, right - left, 0.6).fill(hairline)
}

// Every `y` of a text is its baseline, so that two sizes can stand on one line.
const onOneLine = { lineBreak: false, baseline: 'alphabetic' } as const

function write(pdf: Pdf, text: string, x: number, y: number, style: Style): void {
  applyStyle(pdf, style)
  const known = inFont(text)
  const shown = style.until === undefined ? known : cut(pdf, known, style.until - x)
  pdf.text(shown, x, y, onOneLine)
}

function writeRight(pdf: Pdf, text: string, edge: number, y: number, style: Style): void {
  applyStyle(pdf, style)
  pdf.text(text, edge - pdf.widthOfString(text), y, onOneLine)
}

function applyStyle(pdf: Pdf, { size = 9, bold = false, colour = ink }: Style): void {
  pdf
    .font(bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .fillColor(colour)
}

// The standard fonts know Windows-1252. pdfkit would write the low byte of anything else: another character.
function inFont(text: string): string {
  return text.normalize('NFC').replace(/[^\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/gu, '?')
}

// More than fits on a line in the narrowest glyph, so that a text of a megabyte is not measured.
const maxLineWidth = 400

function cut(pdf: Pdf, text: string, width: number): string {
  if (text.length <= maxLineWidth && pdf.widthOfString(text) <= width) return text
  let fits = 0
  let tooLong = Math.min(text.length, maxLineWidth)
  while (tooLong - fits > 1) {
    const length = Math.floor((fits + tooLong) / 2)
    if (pdf.widthOfString(`${text.slice(0, length)}…`) <= width) fits = length
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

// Uncompressed, because zlib's output differs from one Node version and processor to the next; dated by its own last
// day, because pdfkit derives the file's ID from that and would otherwise ask the wall clock. No name is among the
// metadata, because pdfkit writes it into XML as it is.
async function render(
  { title, toDate }: Metadata,
  draw: (pdf: Pdf) => void | Promise<void>,
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
  await draw(pdf)
  pdf.end()
  const chunks: Uint8Array[] = []
  for await (const chunk of pdf) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
