// Payments: transfers and payments that wait for somebody to authorise them.

import { performUndoable } from './acts.js'
import { ask, type Answer } from './api.js'
import { controlCurl } from './curl.js'
import { rand, when } from './format.js'
import { useLoad } from './load.js'
import { Empty, Failure } from './parts.js'

type Payment = Answer<'GET', '/_sandbox/payments'>['payments'][number]

export function PaymentsScreen() {
  const { value, error, reload } = useLoad(
    async () => (await ask('GET', '/_sandbox/payments')).payments.reverse(),
    [],
    ['payment', 'entry'],
  )
  if (error !== '' && !value) return <Failure error={error} retry={reload} />
  if (!value) return null
  if (value.length === 0)
    return (
      <Empty
        title="No payment waits for authorisation, and none did."
        curl={controlCurl('PUT', 'accounts/ACCOUNT/authorisation', {
          numberOfAuthorisationRequired: '1',
          authorisersListA: [{ authoriserId: '501', name: 'T Naidoo' }],
        })}
      >
        Choose the scenario needs-authorisers above, or let an account need authorisers; then pay from it.
      </Empty>
    )
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Rows">
      <table aria-label="Payments">
        <thead>
          <tr>
            <th>Asked</th>
            <th>To</th>
            <th>References</th>
            <th class="amount">Amount</th>
            <th>State</th>
            <th>
              <span class="sr">Decide</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {value.map((payment) => (
            <Row key={payment.reference} payment={payment} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ payment }: { payment: Payment }) {
  const { reference, status, targetName, myReference, theirReference, amount } = payment
  const params = { reference }
  const id = `payment-${reference}`
  return (
    <tr>
      <td>{when(payment.requestedAt)}</td>
      <td id={id}>{targetName}</td>
      <td>
        {myReference} / {theirReference}
      </td>
      <td class="amount">{rand(Math.round(amount * 100))}</td>
      <td>{status === 'waiting' ? `waiting, lapses ${when(payment.lapsesAt)}` : status}</td>
      <td class="acts">
        {status === 'waiting' && (
          <>
            <button
              type="button"
              class="small primary"
              aria-describedby={id}
              onClick={() =>
                void performUndoable(
                  `authorising ${targetName}`,
                  () => ask('POST', '/_sandbox/payments/{reference}/authorise', { params }),
                  `Authorised: ${rand(Math.round(amount * 100))} went to ${targetName}.`,
                )
              }
            >
              Authorise
            </button>
            <button
              type="button"
              class="small"
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
      </td>
    </tr>
  )
}
