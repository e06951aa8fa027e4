/** Properties that may differ: the times of the last change, and the software that made it. */
const mayDiffer: ReadonlySet<string> = new Set(['xmp:ModifyDate', 'xmp:MetadataDate', 'pdf:Producer']);
/** Elements around the properties. */
const wrappers: ReadonlySet<string> = new Set(['x:xmpmeta', 'rdf:RDF', 'rdf:Description']);
/** A processing instruction, a tag or a text. Other parts of XML, such as comments and declarations, are not understood. */
const part = /<\?[^>]*\?>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Whether two metadata streams (XMP, ISO 16684-1) have the same properties, except for those that each change of a file renews. */
export function sameMetadata(one: Uint8Array, other: Uint8Array): boolean {
  const [before, after] = [propertiesOf(one), propertiesOf(other)];
  return before !== undefined && after !== undefined && before.join('\n') === after.join('\n');
}

/** Returns the properties with their paths. Programs write a simple property as an element or as an attribute. Returns undefined if unreadable. */
function propertiesOf(packet: Uint8Array): string[] | undefined {
  const text = Buffer.from(packet).toString('utf8');
  const open: string[] = [];
  const found: { path: string; value: string }[] = [];
  const add = (names: readonly string[], value: string) => {
    const path = names.filter((name) => !wrappers.has(name)).join('/');
    if (value !== '' && !mayDiffer.has(path)) found.push({ path, value });
  };
  part.lastIndex = 0;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (!match) return undefined;
    const [, closing, name, attributes = '', empty, written] = match;
    if (written !== undefined) add(open, written.trim());
    if (name === undefined) continue;
    if (closing === '/') {
      if (open.pop() !== name) return undefined;
      continue;
    }
    for (const [, key = '', double, single] of attributes.matchAll(attribute))
      if (!/^xmlns\b|^rdf:about$|^x:xmptk$/.test(key)) add([...open, name, key], double ?? single ?? '');
    if (empty !== '/') open.push(name);
  }
  // The values of a list keep their order.
  return found.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)).map(({ path, value }) => JSON.stringify([path, value]));
}
