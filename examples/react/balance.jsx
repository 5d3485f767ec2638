import { useEffect, useState } from 'react'

/** The component under test: calls the production address through its backend's token. */
export function Balance({ accountId, token }) {
  const [shown, show] = useState('…')
  useEffect(() => {
    fetch(`https://bank.example/za/pb/v1/accounts/${accountId}/balance`, {
      headers: { authorization: `Bearer ${token}` },
    })
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(`${response.status}`))))
      .then(({ data }) => show(`R ${data.currentBalance.toFixed(2)}`))
      .catch(() => show('not available'))
  }, [accountId, token])
  return <output>{shown}</output>
}
