// Card code that decides by chance and leaves work behind, for tests of determinism. It runs in card code's engine.
const beforeTransaction = async (authorization) => {
  console.log(authorization, Math.random(), new Date().toISOString())
  setTimeout(() => console.log('later'), 50)
  fetch('http://169.254.169.254/').catch((error) => console.log(error.code))
  return Math.random() > 0.2
}
const afterTransaction = async (transaction) => console.log(transaction.reference)
