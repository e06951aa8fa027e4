import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive; what it says of itself may be another thing than what is so. */
export type Zipped = {
  path: string;
  content: Buffer | string;
  /** The Unix mode, with the kind of the file. */
  mode?: number;
  /** What it says its size is, its checksum, and how it is packed: 0 not at all, 8 by deflate. */
  size?: number;
  crc?: number;
  method?: number;
  flags?: number;
};

/** A zip archive (APPNOTE 6.3), written here so that a test can have it lie. */
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
    // Made on Unix, which is what the mode is read by.
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
