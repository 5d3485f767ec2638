import { expect, it, jest } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { buildImage, Machine } from './worker/machine.js'
import { imageFile, parseImage, restoreImage, takeImage } from './image.js'

const file = async (name: string): Promise<Buffer<ArrayBuffer>> =>
  Buffer.from(await readFile(new URL(`../../dist/card-code/${name}`, import.meta.url)))
const wasm = async (): Promise<WebAssembly.Module> => WebAssembly.compile(await file('engine.wasm'))
const shippedImage = async () => parseImage(await file('prelude.image'), await file('engine.wasm'))
const machineOf = async (image: Parameters<typeof Machine.create>[0]['image']) =>
  Machine.create({ wasm: await wasm(), image, memoryMb: 64, host: () => undefined, expired: () => false })

it('reads an image as it was written', () => {
  const image = {
    addresses: { before: [1, 2, 3, 4], begin: 5, start: 6, deliver: 7, fail: 8 },
    data: Uint8Array.from([1, 2, 3]),
    heap: Uint8Array.from([9, 8]),
  }
  const engine = Uint8Array.of(0)
  const read = parseImage(imageFile(image, engine), engine)
  expect(read.addresses).toEqual(image.addresses)
  expect([...read.data]).toEqual([1, 2, 3])
  expect([...read.heap]).toEqual([9, 8])
})

it('restores every byte of the data and the heap, whatever a run has written', async () => {
  const image = await shippedImage()
  const memory = new Uint8Array(24 * 1024 * 1024)
  restoreImage(image, memory)
  const before = takeImage(memory, image.addresses)
  expect(before.heap.length).toBe(image.heap.length)
  memory.subarray(0, before.data.length).fill(0xaa)
  memory.subarray(5 * 1024 * 1024, 5 * 1024 * 1024 + before.heap.length).fill(0xaa)
  restoreImage(image, memory)
  const after = takeImage(memory, image.addresses)
  expect(Buffer.compare(after.data, image.data)).toBe(0)
  expect(Buffer.compare(after.heap, image.heap)).toBe(0)
})

it('keeps addresses apart from what differs between machines: the language and the path of the program', async () => {
  const image = await shippedImage()
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  const { argv } = process
  try {
    for (const [language, program] of [
      ['en-US', '/a'],
      ['zu', '/a/much/longer/path/of/a/program.js'],
    ]) {
      Object.defineProperty(globalThis, 'navigator', { value: { language }, configurable: true })
      process.argv = [argv[0]!, program!]
      const machine = await machineOf(image)
      expect(machine.load('globalThis.answer = 42')).toBe('done')
    }
  } finally {
    process.argv = argv
    if (before) Object.defineProperty(globalThis, 'navigator', before)
    else Reflect.deleteProperty(globalThis, 'navigator')
  }
})

it('refuses an image whose addresses are not those of the engine', async () => {
  const image = await shippedImage()
  const [runtime, ...others] = image.addresses.before
  const moved = { ...image, addresses: { ...image.addresses, before: [runtime! + 16, ...others] } }
  await expect(machineOf(moved)).rejects.toThrow('The image was made with another engine.')
})

it('makes the same image from the same prelude at the same time', async () => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0)
  const prelude = '(function install() { return { begin() {}, start() {}, deliver() {}, fail() {} } })'
  const [one, two] = await Promise.all([0, 1].map(async () => buildImage(await file('engine.wasm'), prelude)))
  clock.mockRestore()
  expect(one!.addresses).toEqual(two!.addresses)
  expect(Buffer.compare(one!.heap, two!.heap)).toBe(0)
})

it.each([
  ['nothing', (bytes: Buffer) => bytes.subarray(0, 0)],
  ['two bytes', (bytes: Buffer) => bytes.subarray(0, 2)],
  ['half of its head', (bytes: Buffer) => bytes.subarray(0, 40)],
  ['all but its last byte', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['one more byte', (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)])],
  ['a head that is no JSON', (bytes: Buffer) => bytes.fill('x', 4, 40)],
  ['a length of 4 GB', (bytes: Buffer) => bytes.fill(0xff, 0, 4)],
  [
    'one changed bit of the heap',
    (bytes: Buffer) => bytes.fill(bytes.at(-9)! ^ 1, bytes.length - 9, bytes.length - 8),
  ],
])('refuses an image of which is left: %s', async (_, damage) => {
  const engine = await file('engine.wasm')
  const bytes = damage(await file('prelude.image'))
  expect(() => parseImage(bytes, engine)).toThrow(
    'card code cannot run: prelude.image of this package is damaged; install the package again',
  )
})

it('refuses an engine of which one bit is changed', async () => {
  const engine = await file('engine.wasm')
  const image = await file('prelude.image')
  engine[engine.length >> 1]! ^= 1
  expect(() => parseImage(image, engine)).toThrow(
    'card code cannot run: engine.wasm of this package is damaged; install the package again',
  )
})
