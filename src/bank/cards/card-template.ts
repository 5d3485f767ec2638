/** The main.js that every programmable card starts with: three hooks, each of which logs its argument. */
export const defaultMainJs = `// Runs before the bank approves a purchase: return true to approve it, false to decline it.
const beforeTransaction = async (authorization) => {
  console.log(authorization)
  return true
}

// Runs after a purchase was approved.
const afterTransaction = async (transaction) => {
  console.log(transaction)
}

// Runs after a purchase was declined.
const afterDecline = async (transaction) => {
  console.log(transaction)
}
`
