import { jpegHead } from './jpeg.ts';
import { onWhite, readPng } from './png.ts';

/** Maximum number of pixels: a photograph of 40 megapixels, whose pixels use 120 MB. */
const maxPixels = 40_000_000;
const fits = ({ width, height }: { width: number; height: number }) => width * height <= maxPixels;

/** The PDF transformation matrix that places an image on a page of its size, by orientation (Exif). */
const placed: Readonly<Record<number, (width: number, height: number) => readonly number[]>> = {
  1: (w, h) => [w, 0, 0, h, 0, 0],
  2: (w, h) => [-w, 0, 0, h, w, 0],
  3: (w, h) => [-w, 0, 0, -h, w, h],
  4: (w, h) => [w, 0, 0, -h, 0, h],
  5: (w, h) => [0, -h, -w, 0, w, h],
  6: (w, h) => [0, -h, w, 0, 0, h],
  7: (w, h) => [0, h, w, 0, 0, 0],
  8: (w, h) => [0, h, -w, 0, w, 0],
};

/** Returns a one-page PDF with this image, so that images are rendered like pages. Throws if it is broken or too large. */
export function pictureAsPage(bytes: Buffer): Buffer {
  return bytes[0] === 0xff ? ofJpeg(bytes) : ofPng(bytes);
}

function ofPng(bytes: Buffer): Buffer {
  const pixels = readPng(bytes, fits);
  return page({ ...pixels, orientation: 1 }, '/ColorSpace/DeviceRGB', onWhite(pixels));
}

function ofJpeg(bytes: Buffer): Buffer {
  const head = jpegHead(bytes);
  if (!head || head.width * head.height === 0 || !fits(head)) throw new Error('the JPEG is broken or too large');
  const space = head.colours === 1 ? 'DeviceGray' : head.colours === 4 ? 'DeviceCMYK' : 'DeviceRGB';
  // Adobe programs write inverted CMYK values.
  const inverted = head.colours === 4 && head.adobe ? '/Decode[1 0 1 0 1 0 1 0]' : '';
  return page(head, `/Filter/DCTDecode/ColorSpace/${space}${inverted}`, bytes);
}

function page(picture: { width: number; height: number; orientation: number }, how: string, content: Buffer): Buffer {
  const turned = picture.orientation > 4;
  const [width, height] = turned ? [picture.height, picture.width] : [picture.width, picture.height];
  const drawing = `${(placed[picture.orientation] ?? placed[1])?.(width, height).join(' ')} cm /P Do`;
  const image = `<</Type/XObject/Subtype/Image/Width ${picture.width}/Height ${picture.height}/BitsPerComponent 8${how}/Length ${content.length}>>`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 4 0 R/Resources<</XObject<</P 5 0 R>>>>>>`,
    `<</Length ${drawing.length}>>\nstream\n${drawing}\nendstream`,
  ];
  const head = `%PDF-1.7\n${objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join('')}5 0 obj\n${image}\nstream\n`;
  const places = [...head.matchAll(/^\d+ 0 obj$/gm)].map(({ index }) => `${String(index).padStart(10, '0')} 00000 n \n`);
  const table = head.length + content.length + '\nendstream\nendobj\n'.length;
  const end = `\nendstream\nendobj\nxref\n0 6\n0000000000 65535 f \n${places.join('')}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from(end)]);
}
