import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

export type DnsQuestion = { name: string; type: 'A' | 'AAAA' | 'TXT' | 'other' };
/** Addresses of the requested type, texts, or a CNAME and its target. `undefined` sends no response; `failed` is SERVFAIL. */
export type DnsAnswer = { addresses: string[]; cname?: string; texts?: string[] } | 'failed' | undefined;

/** A test name server over UDP on loopback (RFC 1035 §4, AAAA by RFC 3596). The test decides its responses. */
export type DnsServer = {
  /** `address:port`, the format that resolvers accept. */
  address: string;
  questions: DnsQuestion[];
  /** Decides each response. Without an address of the requested type the response is empty. */
  answer: (question: DnsQuestion) => DnsAnswer;
  close(): Promise<void>;
};

const types = { 1: 'A', 16: 'TXT', 28: 'AAAA' } as const;

function encodeName(name: string): Buffer {
  const labels = name
    .split('.')
    .filter((label) => label !== '')
    .map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label, 'latin1')]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

/** Returns the 16 bytes of an IPv6 address. The URL parser expands short forms and dotted tails. */
function encodeIPv6(address: string): Buffer {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined) => (text ? text.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const [before, after] = [groups(head), groups(tail)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  // A time to live of 0 prevents caching.
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fixed, data]);
}

function readQuestion(message: Buffer): { question: DnsQuestion; raw: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = types[message.readUInt16BE(at + 1) as 1 | 16 | 28] ?? 'other';
  return { question: { name: labels.join('.').toLowerCase(), type }, raw: message.subarray(12, at + 5) };
}

export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const server: DnsServer = {
    address: '',
    questions: [],
    answer: () => ({ addresses: [] }),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (message, from) => {
    const { question, raw } = readQuestion(message);
    server.questions.push(question);
    const decided = server.answer(question);
    if (!decided) return;
    if (decided === 'failed') {
      const failure = Buffer.alloc(12);
      message.copy(failure, 0, 0, 2);
      failure.writeUInt16BE(0x81_82, 2);
      failure.writeUInt16BE(1, 4);
      socket.send(Buffer.concat([failure, raw]), from.port, from.address);
      return;
    }
    const owner = decided.cname ?? question.name;
    const wanted = decided.addresses.filter((address) => isIPv4(address) === (question.type === 'A'));
    const records = [
      ...(decided.cname === undefined ? [] : [record(question.name, 5, encodeName(decided.cname))]),
      ...(question.type === 'TXT' ? (decided.texts ?? []) : []).map((text) =>
        record(owner, 16, Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)])),
      ),
      ...(question.type === 'TXT' ? [] : wanted).map((address) =>
        question.type === 'A' ? record(owner, 1, Buffer.from(address.split('.').map(Number))) : record(owner, 28, encodeIPv6(address)),
      ),
    ];
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x81_80, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, raw, ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}
