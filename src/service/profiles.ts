// Profiles and their resources, which the service has but does not document.

import type { Bank } from '../bank/bank.js'
import type { ApiKeyRecord } from '../bank/credentials.js'
import { noAuthorisation } from '../bank/payments/authorisation-setup.js'
import { Account, AuthorisationSetup, Beneficiary, Profile } from '../bank/records.js'
import { defineEndpoint } from '../endpoint/endpoint.js'
import { Problem } from '../protocol/problem.js'
import { listOf } from '../protocol/schema.js'
import { accountsOf } from './accounts.js'

/** The profiles in which an API key may access an account. */
export function profilesOf(bank: Bank, apiKey: ApiKeyRecord): Set<string> {
  return new Set(accountsOf(bank, apiKey).map(({ profileId }) => profileId))
}

/** Refuses a profile that does not exist, or in which the key may access nothing. */
export function guardProfile(bank: Bank, apiKey: ApiKeyRecord, profileId: string): void {
  bank.profile(profileId)
  if (!profilesOf(bank, apiKey).has(profileId))
    throw new Problem(
      'account-refused',
      `The API key ${JSON.stringify(apiKey.alias)} may not access profile ${profileId}.`,
    )
}

/** Refuses an account that does not belong to the profile in the path. */
function guardAccountOf(bank: Bank, apiKey: ApiKeyRecord, profileId: string, accountId: string): void {
  guardProfile(bank, apiKey, profileId)
  if (bank.account(accountId).profileId !== profileId)
    throw new Problem('unknown-account', `Account ${accountId} does not belong to profile ${profileId}.`)
}

export const profiles = [
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/profiles',
    name: 'listProfiles',
    summary: 'The profiles of the client',
    auth: 'token',
    permission: 'accounts',
    response: listOf(Profile),
    envelope: 'links',
    problems: [],
    handle: ({ bank, grant }) => {
      const visible = profilesOf(bank, grant.apiKey)
      return bank.profiles
        .filter(({ profileId }) => visible.has(profileId))
        .map(({ profileId, profileName, defaultProfile }) => ({ profileId, profileName, defaultProfile }))
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/profiles/{profileId}/accounts',
    name: 'listProfileAccounts',
    summary: 'The accounts of one profile',
    auth: 'token',
    permission: 'accounts',
    response: listOf(Account),
    envelope: 'links',
    problems: ['unknown-profile', 'account-refused'],
    handle: ({ bank, grant, params: { profileId } }) => {
      guardProfile(bank, grant.apiKey, profileId)
      return accountsOf(bank, grant.apiKey, profileId).map((account) => bank.accountOnWire(account))
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/profiles/{profileId}/accounts/{accountId}/beneficiaries',
    name: 'listProfileBeneficiaries',
    summary: 'The beneficiaries that may be paid from the account',
    auth: 'token',
    permission: 'beneficiarypayments',
    response: listOf(Beneficiary),
    envelope: 'links',
    problems: ['unknown-profile', 'unknown-account', 'account-refused'],
    handle: ({ bank, grant, params: { profileId, accountId } }) => {
      guardAccountOf(bank, grant.apiKey, profileId, accountId)
      return bank.beneficiaries(profileId)
    },
  }),
  defineEndpoint({
    method: 'GET',
    path: '/za/pb/v1/profiles/{profileId}/accounts/{accountId}/authorisationsetupdetails',
    name: 'getAuthorisationSetup',
    summary: 'Who must authorise payments from the account',
    auth: 'token',
    permission: 'beneficiarypayments',
    response: AuthorisationSetup,
    envelope: 'links',
    problems: ['unknown-profile', 'unknown-account', 'account-refused'],
    handle: ({ bank, grant, params: { profileId, accountId } }) => {
      guardAccountOf(bank, grant.apiKey, profileId, accountId)
      return bank.account(accountId).authorisation ?? noAuthorisation
    },
  }),
]
