import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairBudget } from '../fair-budget.ts';
import { problems } from '../problems.ts';
import { addressBlock, clientIp } from './client-ip.ts';
import { isResponseClosed, whenDone } from './on-response-close.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many bytes of a file that comes with it a request has in memory, where it does not pass it on to the storage as it comes. */
    fileInMemory?: number;
    /** How many times its length such a file takes there, with what is made of it at once; once where nothing is said. */
    fileTimes?: number;
  }
  interface FastifyInstance {
    /** Counts bytes of a body in parts that a request has in memory, such as those of a field. Throws 429 where that is too much. */
    holdPart(request: FastifyRequest, bytes: number): void;
  }
}

/** The memory that bodies of requests take on a node at once. */
export type BodyRoom = {
  /** Takes room for the body that a request announces, until it is answered and its work has ended. Throws 429 where there is too little. */
  holdBody: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Takes room for bytes of a body in parts, whose files go to the storage as they come. */
  holdPart: (request: FastifyRequest, bytes: number) => void;
  /** Takes room for the values that JSON becomes when it is read, before it is. Throws 413 where it has more than one may have, 429 as above. */
  holdValues: (request: FastifyRequest, json: Buffer) => void;
};

/** Fewer bytes of a request are not counted: a connection takes more. */
const smallBytes = 8 * 1024;

/** What a value in an object or a list takes besides its text. */
const valueBytes = 32;
/** More values are taken in no body: as many as bytes are in one of the usual largest size. */
const maxValues = 1024 * 1024;
const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];

/** What those without a credential have together of all; what one of them may have of what is free there, and a team of the rest. */
const [ofVisitors, ofOneVisitor, ofOneTeam] = [1 / 3, 1 / 4, 3 / 5];

/** What one request holds: so many bytes, and those of parts that are not counted yet. */
type BodyReservation = { isDone: boolean; uncounted: number; bytes: number; giveBack: () => void };

/** Shares the memory for bodies fairly by teams; whoever has shown no credential has a part of its own of it, shared by addresses. */
export function bodyRoom({ maxBytes, bytesOfTeam }: { maxBytes: number; bytesOfTeam: number }): BodyRoom {
  const [forVisitors, forTeams] = [maxBytes * ofVisitors, maxBytes * (1 - ofVisitors)];
  const visitors = new FairBudget({ total: forVisitors, part: ofOneVisitor });
  const teams = new FairBudget({ total: forTeams, part: ofOneTeam, maxPerKey: bytesOfTeam });
  const reservations = new WeakMap<FastifyRequest, BodyReservation>();
  const allFor = (request: FastifyRequest): number => (request.principal?.team === undefined ? forVisitors : forTeams);

  /** Takes more for a request. What it has is given back first, so that one that is alone is refused for nothing that it holds itself. */
  function takeMore(request: FastifyRequest, of: BodyReservation, more: number): void {
    const team = request.principal?.team;
    const bytes = of.bytes + more;
    of.giveBack();
    const back = team === undefined ? visitors.take(addressBlock(clientIp(request)), bytes) : teams.take(team, bytes);
    if (!back) throw bytes > allFor(request) ? tooLarge(allFor(request)) : tooManyBytes();
    [of.bytes, of.giveBack] = [bytes, back];
  }

  function hold(request: FastifyRequest, bytes: number): void {
    const of = reservations.get(request);
    if (!of || of.isDone) return;
    of.uncounted += bytes;
    if (of.uncounted <= smallBytes) return;
    const more = of.uncounted;
    of.uncounted = 0;
    takeMore(request, of, more);
  }

  /** How many values a body of one who is alone may have: as many as fit, of those that are taken at all. */
  const maxOf = (request: FastifyRequest, json: Buffer): number =>
    Math.min(maxValues, Math.floor((allFor(request) - json.length) / valueBytes));

  return {
    holdBody(request, reply) {
      const bytes = passesOn(request) ? 0 : declaredBytes(request) * (request.routeOptions.config?.fileTimes ?? 1);
      if ((bytes <= smallBytes && !passesOn(request)) || isResponseClosed(reply)) return;
      const of: BodyReservation = { isDone: false, uncounted: 0, bytes: 0, giveBack: () => undefined };
      if (bytes > 0) takeMore(request, of, bytes);
      reservations.set(request, of);
      whenDone(reply, () => {
        of.isDone = true;
        of.giveBack();
      });
    },
    holdPart: hold,
    holdValues(request, json) {
      if (json.length <= smallBytes) return;
      const [values, most] = [valuesOf(json), maxOf(request, json)];
      if (values > most)
        throw problems.payload_too_large(
          `The body has more than ${most} values, which is the maximum for a request of any size. Each comma and each opening bracket or brace counts as one. Send less in one request.`,
        );
      hold(request, values * valueBytes);
    },
  };
}

/** How many values JSON has at most, and one for each object and list. */
function valuesOf(json: Buffer): number {
  let values = 0;
  for (const byte of json) if (byte === comma || byte === brace || byte === bracket) values += 1;
  return values;
}

/** Whether a body is in parts that are read one by one. Where no file is taken it is read as any other, whatever it says it is. */
function passesOn(request: FastifyRequest): boolean {
  const { headers, routeOptions } = request;
  return (
    'isMultipart' in request &&
    routeOptions.config?.fileInMemory === undefined &&
    headers['content-type']?.startsWith('multipart/') === true
  );
}

/** How many bytes of its body a request will have in memory. One that does not say may have as many as are taken. */
function declaredBytes({ headers, routeOptions: { bodyLimit, config } }: FastifyRequest): number {
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return 0;
  const most = Math.max(bodyLimit, config?.fileInMemory ?? 0);
  return Math.min(Number(headers['content-length'] ?? most), most);
}

/** What there is never room for is not put off to another time. */
function tooLarge(bytes: number) {
  return problems.payload_too_large(
    `The request takes more memory than the ${Math.floor(bytes)} bytes that the service has for all bodies at once. Send less at once, with its length in \`Content-Length\`.`,
  );
}

function tooManyBytes() {
  return problems.rate_limited(
    'Large requests in progress, yours or all, use the maximum amount of memory. Send this one again after another ends, and send fewer large ones at once.',
    { headers: { 'retry-after': '2' } },
  );
}
