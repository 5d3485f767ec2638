import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'examples/', 'types/', 'src/node-api/api-types.ts'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines': ['error', 500],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportDefaultDeclaration',
          message: 'Name what you export.',
        },
        {
          selector:
            ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"], TSParameterProperty)[accessibility="private"]',
          message: 'Private members are #private.',
        },
        {
          selector: '[accessibility="public"]',
          message: 'Members are public without the word.',
        },
        {
          selector: 'TSParameterProperty:not([readonly=true])',
          message: 'What a constructor takes as a property is readonly.',
        },
      ],
    },
  },
  {
    // A longer function is split where a reader would put a heading. A switch counts as one branch: it is a table.
    files: ['src/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', { max: 20, variant: 'modified' }],
    },
  },
  {
    // What card code sees: it wraps built-in functions of an engine, which have no types to speak of.
    files: ['src/card-code/guest/**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      // Card code is untyped: what a type says it gets, the prelude still has to check and to convert.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unnecessary-type-conversion': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/restrict-plus-operands': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      // Getters on the prototype, where the platform has them.
      '@typescript-eslint/class-literal-property-style': 'off',
      // Functions of the platform that answer at once return promises all the same.
      '@typescript-eslint/require-await': 'off',
      // Card code may replace the iterator of arrays.
      '@typescript-eslint/prefer-for-of': 'off',
    },
  },
  {
    // What answers hold is what tests are about: each expectation says what it takes the JSON to be.
    files: ['**/*.test.ts', 'test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  { files: ['*.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
)
