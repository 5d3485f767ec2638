/** Whether the text that names a scenario is the path of a file: it has a slash, or the ending of a YAML file. */
export const isScenarioPath = (nameOrPath: string): boolean => /[/\\]|\.ya?ml$/i.test(nameOrPath)
