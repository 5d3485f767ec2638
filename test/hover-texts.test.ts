// Every option, body field and method has a hover text: the description of its schema, or its comment. Editors show it, and so
// do the OpenAPI documents.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import ts from 'typescript'
import { CaseFileSchema } from '../src/card-loop/case-schema.js'
import { control } from '../src/control/index.js'
import { optionTable } from '../src/node-api/options.js'
import { ProblemDetails } from '../src/protocol/refusal.js'
import type { Schema } from '../src/protocol/schema.js'
import { ScenarioFile } from '../src/scenario/scenario-file.js'
import { service } from '../src/service/index.js'

/** Declared properties without a description, as `Title.property`; and how many properties there are. */
function undescribed(schemas: Iterable<readonly [where: string, schema: Schema | undefined]>): {
  names: string[]
  count: number
} {
  const names = new Set<string>()
  let count = 0
  const visit = (schema: Schema | undefined, above: string): void => {
    if (typeof schema !== 'object') return
    const where = schema.title ?? above
    for (const [name, each] of Object.entries(schema.properties ?? {})) {
      count++
      if (!each.description) names.add(`${where}.${name}`)
      visit(each, `${where}.${name}`)
    }
    visit(schema.items, `${where}[]`)
    for (const each of schema.anyOf ?? []) visit(each, where)
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties, `${where}.*`)
  }
  for (const [where, schema] of schemas) visit(schema, where)
  return { names: [...names], count }
}

test.each([
  ['the service', service, 300],
  ['the control API', control, 1000],
])('every field of %s has a description', (_, endpoints, atLeast) => {
  const parts = endpoints.flatMap(({ method, path, query, body, response }) =>
    [query, body, response].map((schema) => [`${method} ${path}`, schema] as const),
  )
  const { names, count } = undescribed(parts)
  expect(names).toEqual([])
  expect(count).toBeGreaterThan(atLeast)
})

test('every key of scenarios, card tests and refusals has a description', () => {
  expect(
    undescribed([
      ['scenario', ScenarioFile],
      ['card test', CaseFileSchema],
      ['refusal', ProblemDetails],
    ]).names,
  ).toEqual([])
})

test('every option has a description', () => {
  const bare = Object.entries(optionTable).filter(([, { description }]) => description.length < 10)
  expect(bare).toEqual([])
})

/** A schema as such, and the table from which the control client takes its types: nobody writes their members. */
const notWritten = /^(protocol\/schema\.d\.ts|.*: ControlOperations\.)/

test('every member of the types that are published has a comment', () => {
  const dist = fileURLToPath(new URL('../dist/', import.meta.url))
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.d.ts') && !/^(cjs|\.types)\//.test(file))
  const bare: string[] = []
  let count = 0
  for (const file of files) {
    const tree = ts.createSourceFile(file, readFileSync(dist + file, 'utf8'), ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node, owner: string): void => {
      let within = owner
      if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeAliasDeclaration(node))
        within = node.name!.text
      const isMember =
        ts.isPropertySignature(node) ||
        ts.isMethodSignature(node) ||
        ts.isPropertyDeclaration(node) ||
        ts.isMethodDeclaration(node)
      if (owner && isMember && !ts.isPrivateIdentifier(node.name) && isPublicMember(node)) {
        const name = `${file}: ${owner}.${node.name.getText(tree)}`
        if (!notWritten.test(name)) count++
        if (!notWritten.test(name) && ts.getJSDocCommentsAndTags(node).length === 0) bare.push(name)
        within = `${owner}.${node.name.getText(tree)}`
      }
      ts.forEachChild(node, (child) => visit(child, within))
    }
    visit(tree, '')
  }
  expect(bare).toEqual([])
  expect(count).toBeGreaterThan(900)
})

/** Private members are not shown, and what is overridden has the comment of what it overrides. */
function isPublicMember(node: ts.Declaration): boolean {
  const name = (node as ts.PropertyDeclaration).name.getText()
  const isErrorName = name === 'name' && ts.isClassDeclaration(node.parent)
  return !isErrorName && (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) === 0
}
