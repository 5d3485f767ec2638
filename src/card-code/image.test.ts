import { expect, it, jest } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { buildImage, Machine } from './worker/machine.js'
import { imageFile, parseImage } from './image.js'

const file = async (name: string): Promise<Buffer<ArrayBuffer>> =>
  Buffer.from(await readFile(new URL(`../../dist/card-code/${name}`, import.meta.url)))
const wasm = async (): Promise<WebAssembly.Module> => WebAssembly.compile(await file('engine.wasm'))
const machineOf = async (image: Parameters<typeof Machine.create>[0]['image']) =>
  Machine.create({ wasm: await wasm(), image, memoryMb: 64, host: () => undefined, expired: () => false })

it('reads an image as it was written', async () => {
  const image = {
    addresses: { before: [1, 2, 3, 4], begin: 5, start: 6, deliver: 7, fail: 8 },
    data: Uint8Array.from([1, 2, 3]),
    heap: Uint8Array.from([9, 8]),
  }
  const read = await parseImage(imageFile(image))
  expect(read.addresses).toEqual(image.addresses)
  expect([...read.data]).toEqual([1, 2, 3])
  expect([...read.heap]).toEqual([9, 8])
})

it('keeps addresses apart from what differs between machines: the language and the path of the program', async () => {
  const image = await parseImage(await file('prelude.image'))
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
  const image = await parseImage(await file('prelude.image'))
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
