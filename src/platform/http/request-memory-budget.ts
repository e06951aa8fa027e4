import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairBudget } from '../fair-budget.ts';
import { problems } from '../problems.ts';
import { addressBlock, clientIp } from './client-ip.ts';
import { isResponseClosed, whenDone } from './on-response-close.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bytes of an uploaded file that the request holds in memory, if it does not stream the file to the storage. */
    fileInMemory?: number;
    /** The memory of an uploaded file and its derived data, as a multiple of the file size. Default: 1. */
    fileTimes?: number;
  }
  interface FastifyInstance {
    /** Counts bytes of a multipart body in memory, such as a field. Throws 429 above the limit. */
    reservePart(request: FastifyRequest, bytes: number): void;
  }
}

/** Limits the memory for request bodies on this node. */
export type BodyRoom = {
  /** Reserves memory for the announced body until the response is sent and the work has ended. Throws 429 above the limit. */
  reserveBody: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Reserves memory for bytes of a multipart body whose files are streamed to the storage. */
  reservePart: (request: FastifyRequest, bytes: number) => void;
  /** Reserves memory for the values of a JSON body before it is parsed. Throws 413 above the maximum of one request, 429 as above. */
  reserveValues: (request: FastifyRequest, json: Buffer) => void;
};

/** Maximum size in bytes of a request that is not counted, because even a connection uses more memory. */
const smallBytes = 8 * 1024;

/** Memory of a value in an object or array, besides its text. */
const valueBytes = 32;
/** Maximum number of values in a body, because they are parsed in one turn of the event loop. */
const maxValues = 256 * 1024;
const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];

/** The share of unauthenticated callers in the total, and the part of the free amount for one of their IP addresses and for one team. */
const [ofVisitors, ofOneVisitor, ofOneTeam] = [1 / 3, 1 / 4, 3 / 5];

/** The reservation of one request: its bytes, and the bytes of parts that are not yet counted. */
type BodyReservation = { isDone: boolean; uncounted: number; bytes: number; giveBack: () => void };

/** Shares the memory for bodies fairly among teams. Unauthenticated callers have a separate share, divided by IP address. */
export function bodyRoom({ maxBytes, bytesOfTeam }: { maxBytes: number; bytesOfTeam: number }): BodyRoom {
  const [forVisitors, forTeams] = [maxBytes * ofVisitors, maxBytes * (1 - ofVisitors)];
  const visitors = new FairBudget({ total: forVisitors, part: ofOneVisitor });
  const teams = new FairBudget({ total: forTeams, part: ofOneTeam, maxPerKey: bytesOfTeam });
  const reservations = new WeakMap<FastifyRequest, BodyReservation>();
  const allFor = (request: FastifyRequest): number => (request.principal?.team === undefined ? forVisitors : forTeams);

  /** Increases a reservation. First releases the existing one, so that a request is not rejected because of its own reservation. */
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

  /** Returns the maximum number of values of a single body: as many as fit, up to the general maximum. */
  const maxOf = (request: FastifyRequest, json: Buffer): number =>
    Math.min(maxValues, Math.floor((allFor(request) - json.length) / valueBytes));

  return {
    reserveBody(request, reply) {
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
    reservePart: hold,
    reserveValues(request, json) {
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

/** Returns an upper bound of the number of values in JSON, counting objects and arrays as one each. */
function valuesOf(json: Buffer): number {
  let values = 0;
  for (const byte of json) if (byte === comma || byte === brace || byte === bracket) values += 1;
  return values;
}

/** Returns whether a multipart body is read part by part. An operation without uploads reads it like any other body. */
function passesOn(request: FastifyRequest): boolean {
  const { headers, routeOptions } = request;
  return (
    'isMultipart' in request &&
    routeOptions.config?.fileInMemory === undefined &&
    headers['content-type']?.startsWith('multipart/') === true
  );
}

/** Returns how many bytes of the body the request will hold in memory. For a body without a length, returns the maximum. */
function declaredBytes({ headers, routeOptions: { bodyLimit, config } }: FastifyRequest): number {
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return 0;
  const most = Math.max(bodyLimit, config?.fileInMemory ?? 0);
  return Math.min(Number(headers['content-length'] ?? most), most);
}

/** Rejects a body that can never fit, without `Retry-After`. */
function tooLarge(bytes: number) {
  return problems.payload_too_large(
    `The request needs more memory than the ${Math.floor(bytes)} bytes that are available for the bodies of all requests. Send less data at once, with its length in \`Content-Length\`.`,
  );
}

function tooManyBytes() {
  return problems.rate_limited(
    'Your large requests, or the large requests of all users, use the maximum amount of memory. Send this request again after one of them has ended, and send fewer large requests at once.',
    { headers: { 'retry-after': '2' } },
  );
}
