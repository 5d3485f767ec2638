// Statements and tax certificates, which the service has but does not document.

import {
  documentDay,
  documentsOf,
  documentTypes,
  statementOf,
  taxCertificateOf,
} from '../bank/documents/account-documents.js'
import type { DocumentType } from '../bank/documents/account-documents.js'
import { missingPermission, type Grant, type Permission } from '../bank/credentials.js'
import { statementPdf, taxCertificatePdf } from '../bank/documents/documents.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { Binary } from '../protocol/call.js'
import { Problem } from '../protocol/problem.js'
import { isoDate, listOf, record } from '../protocol/schema.js'
import { dayRange } from './accounts.js'

const permissionFor: Readonly<Record<DocumentType, Permission>> = {
  Statement: 'documents.statements',
  TaxCertificate: 'documents.taxcertificates',
}

/** Refuses a token that may read no document of these types. */
function guardDocuments(grant: Grant, ...types: readonly DocumentType[]): void {
  const needed = types.map((type) => permissionFor[type])
  if (needed.some((permission) => grant.permissions.has(permission))) return
  throw missingPermission(grant, needed)
}

const isDocumentType = (text: string): text is DocumentType =>
  (documentTypes as readonly string[]).includes(text)

export const documents = [
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/accounts/{accountId}/documents',
    name: 'listDocuments',
    summary: 'Statements and tax certificates dated in a range, of the types that the API key permits',
    auth: 'token',
    query: {
      type: 'object',
      properties: {
        fromDate: { ...isoDate, description: 'The first date.' },
        toDate: { ...isoDate, description: 'The last date.' },
      },
      required: ['fromDate', 'toDate'],
    },
    response: listOf(
      record('AccountDocument', 'A document of an account.', {
        documentType: {
          enum: documentTypes,
          description: 'A statement is of a month, a tax certificate of a tax year.',
        },
        documentDate: { ...isoDate, description: 'The last day that the document covers.' },
      }),
    ),
    envelope: 'links',
    problems: ['unknown-account', 'account-refused', 'invalid-request', 'missing-permission'],
    example: { query: { fromDate: '2026-01-01', toDate: '2026-03-25' } },
    handle: ({ bank, grant, params: { accountId }, query }) => {
      guardDocuments(grant, ...documentTypes)
      const { from, to } = dayRange(bank.today(), query)
      return documentsOf(bank, accountId, from, to).filter(({ documentType }) =>
        grant.permissions.has(permissionFor[documentType]),
      )
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/accounts/{accountId}/document/{documentType}/{documentDate}',
    name: 'getDocument',
    summary: 'A statement or tax certificate as PDF',
    auth: 'token',
    pathParams: { documentDate: { ...isoDate, description: 'The date in the list of documents.' } },
    response: { type: 'string', description: 'The PDF.' },
    envelope: 'bare',
    produces: 'application/pdf',
    problems: ['unknown-account', 'account-refused', 'missing-permission', 'unknown-document'],
    example: { params: { documentType: 'Statement', documentDate: '2026-02-28' } },
    handle: async ({ bank, grant, params }) => {
      const { accountId, documentType } = params
      if (isDocumentType(documentType)) guardDocuments(grant, documentType)
      const day = documentDay(bank, accountId, params)
      if (day === undefined)
        throw new Problem(
          'unknown-document',
          `Account ${accountId} has no such document; GET /za/pb/v1/accounts/{accountId}/documents lists its documents.`,
        )
      const bytes =
        documentType === 'Statement'
          ? await statementPdf(statementOf(bank, accountId, day))
          : await taxCertificatePdf(taxCertificateOf(bank, accountId, day))
      return new Binary('application/pdf', bytes)
    },
  }),
]
