import type { FormEvent } from 'react';

/** Returns the texts of a sent form by name, without spaces at their ends except for passwords. */
export function fieldsOf<Name extends string>({ currentTarget }: FormEvent<HTMLFormElement>, ...names: Name[]): Record<Name, string> {
  const sent = new FormData(currentTarget);
  const read = (name: string) => {
    const value = sent.get(name);
    const text = typeof value === 'string' ? value : '';
    return /password/i.test(name) ? text : text.trim();
  };
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, string>;
}
