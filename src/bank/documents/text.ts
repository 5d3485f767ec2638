// Writes texts onto the pages of a PDF. pdfkit's own `text` lays out, kerns and encodes every text anew, 25 µs each; a
// statement of 20,000 rows has 100,000 of them.
import type PDFDocument from 'pdfkit'

type Pdf = InstanceType<typeof PDFDocument>

/** How a text looks. */
export interface Style {
  /** In points. */
  readonly size?: number
  readonly bold?: boolean
  /** As `#1c2430`. */
  readonly colour?: string
}

/** What pdfkit keeps to itself and its types do not tell: the font in use, and the fonts and content of a page. */
interface PdfParts {
  readonly _font: { readonly id: string; ref(): unknown }
  readonly page: { readonly fonts: Record<string, unknown> }
  addContent(operators: string): void
}

const ink = '#1c2430'

/** The characters that the standard fonts know beyond Latin-1, at 0x80 to 0x9f of Windows-1252; unused places are spaces. */
const beyondLatin1 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const bytes = new Map(
  Array.from(beyondLatin1).flatMap((character, index) =>
    character === ' ' ? [] : [[character, String.fromCharCode(0x80 + index)] as const],
  ),
)

/** Replaces what the standard fonts lack by a question mark. */
export const inFont = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\x20-\x7e\xa0-\xff]/gu, (character) => (bytes.has(character) ? character : '?'))

/** A text as an operand of PDF, one character a byte. */
const literal = (text: string): string =>
  `(${text.replace(/[()\\]|[^\x20-\xff]/g, (character) => bytes.get(character) ?? `\\${character}`)})`

/** A standard font: how a page refers to it, and how wide its characters are at a size of 1. */
class Font {
  readonly #pdf: Pdf
  readonly #name: string
  readonly #widths = new Map<string, number>()
  #id = ''
  #page: unknown

  constructor(pdf: Pdf, name: string) {
    this.#pdf = pdf
    this.#name = name
  }

  /** The width of a text without kerning, at a size of 1. */
  widthOf(text: string): number {
    let width = 0
    for (const character of text) width += this.#widths.get(character) ?? this.#measure(character)
    return width
  }

  /** Puts the font onto the present page. Returns its name there. */
  use(): string {
    const { page } = this.#pdf as unknown as PdfParts
    if (page !== this.#page) {
      this.#pdf.font(this.#name)
      const { _font: font } = this.#pdf as unknown as PdfParts
      page.fonts[font.id] ??= font.ref()
      this.#page = page
      this.#id = font.id
    }
    return this.#id
  }

  #measure(character: string): number {
    const width = this.#pdf.font(this.#name).fontSize(1_000).widthOfString(character) / 1_000
    this.#widths.set(character, width)
    return width
  }
}

const colours = new Map<string, string>()

/** The three channels of `#rrggbb` as PDF has them, from 0 to 1. */
const channelsOf = (colour: string): string => {
  const known = colours.get(colour)
  if (known !== undefined) return known
  const channels = [1, 3, 5].map((at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255).toFixed(3))
  colours.set(colour, channels.join(' '))
  return channels.join(' ')
}

/**
 * Writes texts of characters that `inFont` leaves. Every `y` is a baseline, in points from the top of the page, so that two
 * sizes can stand on one line.
 */
export class TextWriter {
  readonly #pdf: Pdf
  readonly #plain: Font
  readonly #bold: Font
  #written: string[] = []

  constructor(pdf: Pdf) {
    this.#pdf = pdf
    this.#plain = new Font(pdf, 'Helvetica')
    this.#bold = new Font(pdf, 'Helvetica-Bold')
  }

  /** The width of a text, in points. */
  widthOf(text: string, { size = 9, bold = false }: Style): number {
    return (bold ? this.#bold : this.#plain).widthOf(text) * size
  }

  write(text: string, x: number, y: number, { size = 9, bold = false, colour = ink }: Style): void {
    if (text === '') return
    const font = (bold ? this.#bold : this.#plain).use()
    // The page's own coordinates point downwards: the text is turned upright again.
    const place = `1 0 0 -1 ${x.toFixed(2)} ${y.toFixed(2)} Tm`
    this.#written.push(`q ${channelsOf(colour)} rg BT /${font} ${size} Tf ${place} ${literal(text)} Tj ET Q`)
  }

  writeRight(text: string, edge: number, y: number, style: Style): void {
    this.write(text, edge - this.widthOf(text, style), y, style)
  }

  /** Puts the texts onto the present page, above what was drawn there. */
  flush(): void {
    const parts = this.#pdf as unknown as PdfParts
    parts.addContent(this.#written.join('\n'))
    this.#written = []
  }
}
