// Makes a screenshot small: at most 256 colours, which is what a page of text has but for the edges of its letters.

import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** A PNG of 8 bits for each channel, without interlacing, as a PNG with a palette. */
export function smallPng(png) {
  const { width, height, pixels } = read(png)
  const counts = new Map()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = [...counts]
    .sort(([a, m], [b, n]) => n - m || a - b)
    .slice(0, 256)
    .map(([colour]) => colour)
  const places = new Map(palette.map((colour, place) => [colour, place]))
  for (const colour of counts.keys()) if (!places.has(colour)) places.set(colour, nearest(palette, colour))
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = places.get(pixels[y * width + x])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

const distance = (one, other) =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0)

const nearest = (palette, colour) =>
  palette.reduce(
    (best, each, place) => (distance(each, colour) < distance(palette[best], colour) ? place : best),
    0,
  )

function read(png) {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const [depth, kind, , , interlaced] = png.subarray(24, 29)
  const step = { 2: 3, 6: 4 }[kind]
  if (depth !== 8 || step === undefined || interlaced !== 0)
    throw new Error('small-png reads 8-bit RGB and RGBA alone')
  const parts = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const raw = inflateSync(Buffer.concat(parts))
  const line = width * step
  const bytes = Buffer.alloc(height * line)
  for (let y = 0; y < height; y++) unfilter(raw, bytes, { y, line, step })
  const pixels = Array.from({ length: width * height }, (_, at) => bytes.readUIntBE(at * step, 3))
  return { width, height, pixels }
}

/** Undoes the filter of one row: each byte was written as the difference from its neighbours. */
function unfilter(raw, bytes, { y, line, step }) {
  const filter = raw[y * (line + 1)]
  for (let x = 0; x < line; x++) {
    const left = x < step ? 0 : bytes[y * line + x - step]
    const up = y === 0 ? 0 : bytes[(y - 1) * line + x]
    const corner = x < step || y === 0 ? 0 : bytes[(y - 1) * line + x - step]
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]
    bytes[y * line + x] = raw[y * (line + 1) + 1 + x] + guess
  }
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
