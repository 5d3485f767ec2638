const beforeTransaction = async ({ centsAmount }) => centsAmount <= 50000
