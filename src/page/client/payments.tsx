// Payments: transfers and payments that need authorisation.

import { performUndoable } from './acts.js'
import { ask, type Answer } from './api.js'
import { controlCurl } from './curl.js'
import { fromRand } from '../../bank/money.js'
import { rand, when } from './format.js'
import { useLoad } from './load.js'
import { Empty, LoadError } from './parts.js'

type Payment = Answer<'GET', '/_sandbox/payments'>['payments'][number]

export function PaymentsScreen() {
  const { value, error, reload } = useLoad(
    async () => (await ask('GET', '/_sandbox/payments')).payments.reverse(),
    [],
    ['authorisation', 'entry'],
  )
  if (error !== '' && !value) return <LoadError error={error} retry={reload} />
  if (!value) return null
  if (value.length === 0) return <NoPayments />
  return (
    <ul class="payments" aria-label="Payments">
      {value.map((payment) => (
        <OnePayment key={payment.reference} payment={payment} />
      ))}
    </ul>
  )
}

/** How payments come to wait: with the account that a command can name. */
function NoPayments() {
  const { value } = useLoad(() => ask('GET', '/_sandbox/accounts'), [], ['account'])
  const [account] = value?.accounts ?? []
  return (
    <Empty
      title="No payment waits for authorisation, and none did."
      curl={
        account &&
        controlCurl('PUT', `accounts/${account.accountId}/authorisation`, {
          numberOfAuthorisationRequired: '1',
          authorisersListA: [{ authoriserId: '501', name: 'T Naidoo' }],
        })
      }
    >
      Choose the scenario needs-authorisers above, or let an account need authorisers; then pay from it.
    </Empty>
  )
}

function OnePayment({ payment }: { payment: Payment }) {
  const { reference, status, targetName, myReference, theirReference, requestedAt, lapsesAt } = payment
  const amount = rand(fromRand(payment.amount))
  const params = { reference }
  const id = `payment-${reference}`
  return (
    <li>
      <span id={id}>
        <strong>{targetName}</strong>
        <span class="note">
          {myReference} / {theirReference}
        </span>
      </span>
      <strong class="amount">{amount}</strong>
      <span>
        {status}
        <span class="note">
          asked {when(requestedAt)}
          {status === 'waiting' && `, lapses ${when(lapsesAt)}`}
        </span>
      </span>
      <span class="acts">
        {status === 'waiting' && (
          <>
            <button
              type="button"
              class="primary"
              aria-describedby={id}
              onClick={() =>
                void performUndoable(
                  `authorising ${targetName}`,
                  () => ask('POST', '/_sandbox/payments/{reference}/authorise', { params }),
                  `Authorised: ${amount} went to ${targetName}.`,
                )
              }
            >
              Authorise
            </button>
            <button
              type="button"
              aria-describedby={id}
              onClick={() =>
                void performUndoable(
                  `declining ${targetName}`,
                  () => ask('POST', '/_sandbox/payments/{reference}/decline', { params }),
                  'Declined: nothing moved.',
                )
              }
            >
              Decline
            </button>
          </>
        )}
      </span>
    </li>
  )
}
