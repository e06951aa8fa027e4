import { PNG } from 'pngjs';

export type Pixels = { width: number; height: number; data: Buffer };

/** Decodes a PNG to RGBA pixels. Throws if its size does not satisfy `fits` or it is broken. */
export function readPng(bytes: Buffer, fits: (size: { width: number; height: number }) => boolean): Pixels {
  if (bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n' || bytes.toString('latin1', 12, 16) !== 'IHDR') throw new Error('no PNG');
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (size.width === 0 || size.height === 0 || !fits(size))
    throw new Error(`a PNG of ${size.width} × ${size.height} pixels is not accepted`);
  const { width, height, data } = PNG.sync.read(bytes);
  return { width, height, data };
}

export function writePng({ width, height, data }: Pixels): Buffer {
  const png = new PNG({ width, height });
  png.data = data;
  return PNG.sync.write(png);
}

/** Returns the RGB colours of pixels on white paper. */
export function onWhite({ width, height, data }: Pixels): Buffer {
  const colours = Buffer.alloc(width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    const alpha = data[from + 3]! / 255;
    for (let part = 0; part < 3; part += 1) colours[to++] = Math.round(data[from + part]! * alpha + 255 * (1 - alpha));
  }
  return colours;
}
