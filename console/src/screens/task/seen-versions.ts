const key = 'seenVersions';
/** The documents whose last seen version this browser remembers. */
const maxDocuments = 200;

function read(): Map<string, number> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    const entries = Array.isArray(value) ? (value as unknown[]) : [];
    return new Map(
      entries.filter((one): one is [string, number] => Array.isArray(one) && typeof one[0] === 'string' && Number.isInteger(one[1])),
    );
  } catch {
    return new Map();
  }
}

/** The versions of documents that the person saw last in this browser. */
export const seenVersions = {
  of: (documentId: string): number | undefined => read().get(documentId),
  add(documentId: string, number: number): void {
    const seen = read();
    // The newest entry comes last.
    seen.delete(documentId);
    seen.set(documentId, number);
    localStorage.setItem(key, JSON.stringify([...seen].slice(-maxDocuments)));
  },
};
