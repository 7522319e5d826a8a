/** Fills each `{{name}}` of a template; a placeholder without a value throws, so that it never reaches a debtor. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template names ${name}, which has no value`);
    return value;
  });

export const placeholdersOf = (template: string): string[] => [
  ...new Set([...template.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!)),
];
