/** The card code under test, as it is sent to the bank: petrol stations only. */
export const petrolOnly = `
const beforeTransaction = async (authorization) => {
  const { code } = authorization.merchant.category
  console.log('category', code)
  return code === '5541' || code === '5542'
}
const afterTransaction = async (transaction) => {}
`
