/** Returns a PDF of these pages. A page is a line of text or a compressed content stream. */
export function plainPdf(pages: readonly (string | Buffer)[]): Buffer {
  const objects: Uint8Array[] = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from(`<</Type/Pages/Kids[${pages.map((_, n) => `${4 + 2 * n} 0 R`).join(' ')}]/Count ${pages.length}>>`),
    Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
  ];
  for (const page of pages) {
    const content =
      typeof page === 'string' ? Buffer.from(`BT /F1 12 Tf 72 700 Td (${page.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj ET`) : page;
    const filter = typeof page === 'string' ? '' : '/Filter/FlateDecode';
    objects.push(
      Buffer.from(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${objects.length + 2} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`),
      Buffer.concat([Buffer.from(`<</Length ${content.length}${filter}>>\nstream\n`), content, Buffer.from('\nendstream')]),
    );
  }
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')];
  const places = objects.map((object, n) => {
    const at = Buffer.concat(parts).length;
    parts.push(Buffer.from(`${n + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = Buffer.concat(parts).length;
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}
