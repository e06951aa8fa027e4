/** One setting: what it is for, its default as text, and how its text is read. A reader throws a sentence without the name. */
export type Setting<T> = { help: string; fallback: string | undefined; read: (text: string) => T };

export function setting<T>(help: string, fallback: string | undefined, read: (text: string) => T): Setting<T> {
  return { help, fallback, read };
}

export function integer(min: number, max: number) {
  return (value: string) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isNaN(number) || number < min || number > max) throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}
