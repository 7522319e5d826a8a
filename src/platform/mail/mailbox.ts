/** Returns the bare address of a setting such as `Quita <nao-responda@quita.example>`. */
export const addressOf = (from: string): string =>
  from
    .slice(from.lastIndexOf('<') + 1)
    .replace('>', '')
    .trim();

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
