import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive. Its header can differ from its content. */
export type Zipped = {
  path: string;
  content: Buffer | string;
  /** The Unix mode, including the file type. */
  mode?: number;
  /** The size, the checksum and the compression method (0 for none, 8 for deflate) in the header. */
  size?: number;
  crc?: number;
  method?: number;
  flags?: number;
};

/** Builds a zip archive (APPNOTE 6.3). A test can give it incorrect headers. */
export function zip(files: readonly Zipped[], { entries = files.length } = {}): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { path, content, mode = 0o100644, method = 8, flags = 0x800, ...said } of files) {
    const plain = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(plain) : plain;
    const name = Buffer.from(path);
    const same = Buffer.alloc(22);
    same.writeUInt16LE(20, 0);
    same.writeUInt16LE(flags, 2);
    same.writeUInt16LE(method, 4);
    same.writeUInt32LE(said.crc ?? crc32(plain), 10);
    same.writeUInt32LE(packed.length, 14);
    same.writeUInt32LE(said.size ?? plain.length, 18);
    const lengths = Buffer.alloc(4);
    lengths.writeUInt16LE(name.length, 0);
    const body = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), same, lengths, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    // The archive is marked as made on Unix, because readers use the mode only then.
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), same, lengths, rest, name]));
    bodies.push(body);
    at += body.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, listed, end]);
}
