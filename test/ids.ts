// The ids of the shipped household that tests name, in one place.

/** The client, and how it signs in; the second key may read one account alone. */
export const standardSignIn = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  apiKey: 'sandbox-api-key',
} as const
export const readonlyKey = 'sandbox-readonly-key'

/** The private profile. */
export const profile = '10163536465738'

/** Accounts: everyday and rainy day of the private profile, and the account of the business profile. */
export const everyday = '4675778129910189600000003'
export const savings = '4675778129910189600000004'
export const business = '4675778129910189600000007'

/** All accounts of the default household. */
export const accountIds = [
  everyday,
  savings,
  '4675778129910189600000005',
  '4675778129910189600000006',
  business,
] as const

/** Programmable cards of the everyday account, one of the business account, and one that takes no code. */
export const card = '700615'
export const otherCard = '700622'
export const businessCard = '1102473'
export const plainCard = '700639'
