// Beneficiaries and their categories, which the service has but does not document.

import { Beneficiary, BeneficiaryCategory } from '../bank/records.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { listOf, maxIdLength } from '../protocol/schema.js'
import { guardProfile, profilesOf } from './profiles.js'

export const beneficiaries = [
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/accounts/beneficiaries',
    name: 'listBeneficiaries',
    summary: 'All beneficiaries who may be paid, without approved public ones',
    auth: 'token',
    permission: 'beneficiarypayments',
    response: listOf(Beneficiary),
    envelope: 'links',
    problems: [],
    handle: ({ bank, grant }) => {
      const visible = profilesOf(bank, grant.apiKey)
      return bank.beneficiaries().filter(({ profileId }) => visible.has(profileId))
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/accounts/beneficiarycategories',
    name: 'listBeneficiaryCategories',
    summary: 'The beneficiary categories of a profile',
    auth: 'token',
    permission: 'beneficiarypayments',
    query: {
      type: 'object',
      properties: {
        profileId: { type: 'string', minLength: 1, maxLength: maxIdLength, description: '14 digits.' },
      },
      required: ['profileId'],
    },
    response: listOf(BeneficiaryCategory),
    envelope: 'links',
    problems: ['invalid-request', 'unknown-profile', 'account-refused'],
    handle: ({ bank, grant, query: { profileId } }) => {
      guardProfile(bank, grant.apiKey, profileId)
      return bank.categories(profileId)
    },
  }),
]
