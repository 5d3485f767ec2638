import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { init } from './init.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'init-'))
})
afterEach(() => rm(folder, { recursive: true }))

const project = (manifest: object): Promise<void> =>
  writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 4)}\n`)
const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8')

function run(stripsTypes = false): { code: number; said: string } {
  const lines: string[] = []
  const take = (text: string): void => void lines.push(text)
  return { code: init(folder, take, take, stripsTypes), said: lines.join('\n') }
}

test('the files of init for node:test pass at once, and are never overwritten', async () => {
  await project({ name: 'mine', type: 'commonjs', private: true })
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/sandbox-server'), 'junction')
  const { code, said } = run()
  expect(code).toBe(0)
  expect(said).toBe(`This project tests with node:test.
  wrote  sandbox/scenario.yaml: the bank that the tests begin with
  wrote  test/sandbox.test.mjs: a first test
  added  the script test: node --test
  added  the script bank: sandbox-server --scenario ./sandbox/scenario.yaml
Run the test with npm test, and the bank with npm run bank.`)
  const env = { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined }
  const result = execFileSync(process.execPath, ['--test'], { cwd: folder, env, encoding: 'utf8' })
  expect(result).toMatch(/pass 2\n.*fail 0/s)
  // The manifest keeps its indentation and its other members.
  expect(await read('package.json')).toBe(
    `${JSON.stringify(
      {
        name: 'mine',
        type: 'commonjs',
        private: true,
        scripts: { test: 'node --test', bank: 'sandbox-server --scenario ./sandbox/scenario.yaml' },
      },
      null,
      4,
    )}\n`,
  )

  await writeFile(join(folder, 'test/sandbox.test.mjs'), '// mine')
  const again = run()
  expect(again.code).toBe(0)
  expect(again.said).toContain('kept   test/sandbox.test.mjs, which is there already')
  expect(again.said).toContain('kept   the script bank, which is there already')
  expect(await read('test/sandbox.test.mjs')).toBe('// mine')
})

test.each([
  [{ devDependencies: { jest: '30' } }, 'test/sandbox.test.js', "require('sandbox-server/jest')"],
  [
    { type: 'module', devDependencies: { jest: '30' } },
    'test/sandbox.test.cjs',
    "require('sandbox-server/jest')",
  ],
  [
    { type: 'module', scripts: { test: 'node --experimental-vm-modules node_modules/.bin/jest' } },
    'test/sandbox.test.js',
    "import { useSandbox } from 'sandbox-server/jest'",
  ],
  [
    { devDependencies: { jest: '30', 'ts-jest': '29', typescript: '5' } },
    'test/sandbox.test.ts',
    "from '@jest/globals'",
  ],
  [{ devDependencies: { jest: '30', typescript: '5' } }, 'test/sandbox.test.js', 'require('],
  [{ devDependencies: { vitest: '4' } }, 'test/sandbox.test.js', "from 'sandbox-server/vitest'"],
  [{ devDependencies: { vitest: '4', typescript: '5' } }, 'test/sandbox.test.ts', "from 'vitest'"],
])('a project with %j gets %s', async (manifest, file, contained) => {
  await project(manifest)
  const { code, said } = run()
  expect(code).toBe(0)
  expect(said).toContain(`wrote  ${file}: a first test`)
  expect(said).toContain('is not installed in this project yet')
  expect(await read(file)).toContain(contained)
})

test.each([
  [{ tsx: '4' }, 'commonjs', false, 'ts', 'node --import tsx --test test/*.test.ts'],
  [{ tsx: '4', 'ts-node': '10' }, 'module', true, 'ts', 'node --import tsx --test test/*.test.ts'],
  [
    { 'ts-node': '10', '@types/node': '20' },
    'commonjs',
    false,
    'cts',
    'node --require ts-node/register --test test/*.test.cts',
  ],
  [{ 'ts-node': '10' }, 'commonjs', true, 'mts', 'node --test'],
  [{}, 'module', true, 'ts', 'node --test'],
])(
  'a project with TypeScript and %j, of the type %s, where Node strips types: %s, gets a .%s',
  async (packages, type, stripsTypes, ending, command) => {
    await project({ type, devDependencies: { typescript: '5', ...packages } })
    expect(run(stripsTypes).said).toContain(`added  the script test: ${command}\n`)
    expect(await read(`test/sandbox.test.${ending}`)).toContain('let sandbox: LocalSandbox')
  },
)

test('a project with TypeScript that nothing runs gets JavaScript, and is told why', async () => {
  await project({ type: 'module', devDependencies: { typescript: '5', 'ts-node': '10' } })
  expect(run().said).toContain('nothing here runs TypeScript: tsx does (npm install --save-dev tsx)')
  expect(await read('test/sandbox.test.mjs')).not.toContain('LocalSandbox')
})

test("npm's placeholder for tests is replaced, and no other script", async () => {
  await project({ scripts: { test: 'echo "Error: no test specified" && exit 1' } })
  expect(run().said).toContain("added  the script test: node --test, in place of npm's placeholder\n")
  expect(run().said).toContain('kept   the script test, which is there already')
  await project({ scripts: { test: 'echo "Error: no test specified" && exit 0' } })
  expect(run().said).toContain('kept   the script test, which is there already')
  expect(await read('package.json')).toContain('exit 0')
})

test('a project with workflows gets one that runs its tests', async () => {
  await project({ scripts: { test: 'vitest run' } })
  await mkdir(join(folder, '.github/workflows'), { recursive: true })
  expect(run().said).toContain('wrote  .github/workflows/sandbox.yml: runs the tests')
  expect(await read('.github/workflows/sandbox.yml')).toContain('- run: npm test\n')
})

test('without a package.json, or with a broken one, nothing is written', async () => {
  expect(run()).toEqual({
    code: 2,
    said: 'sandbox-server: init needs a package.json: there is none here; npm init makes one.',
  })
  await writeFile(join(folder, 'package.json'), '{')
  expect(run().code).toBe(2)
  await expect(read('sandbox/scenario.yaml')).rejects.toThrow('ENOENT')
})
