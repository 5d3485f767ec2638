import { defineCardTests } from 'sandbox-server/vitest'

defineCardTests('card.test.yaml')
