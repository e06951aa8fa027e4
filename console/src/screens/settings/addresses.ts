/** The most addresses of one request. */
export const maxAddresses = 100;

/** The addresses in a text, and its parts without one. */
type Addresses = { emails: string[]; rest: string[] };

/**
 * Reads addresses that a person types or pastes: separated by commas, semicolons, spaces or lines, also as `Ada Acme <ada@acme.example>`. Each address is
 * read once.
 */
export function addressesIn(text: string): Addresses {
  const emails = new Map<string, string>();
  const rest: string[] = [];
  for (const entry of text.split(/[,;\n\r]+/)) {
    const found = entry.split(/[\s<>"]+/).filter((part) => /^[^@]+@[^@]+$/.test(part));
    for (const email of found) if (!emails.has(email.toLowerCase())) emails.set(email.toLowerCase(), email);
    if (found.length === 0 && entry.trim() !== '') rest.push(entry.trim());
  }
  return { emails: [...emails.values()], rest };
}
