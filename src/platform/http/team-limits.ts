import type { FastifyReply, FastifyRequest } from 'fastify';
import { boundedCache } from '../bounded-cache.ts';
import { type Problem, problems } from '../problems.ts';
import { onResponseClose } from './on-response-close.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns how many changes per second of its limit a team has used on this node. */
    writesOf(team: string): number;
  }
}

/** Limits the concurrent requests and the change rate of one team, and the concurrent requests of one credential, on this node. */
export type TeamLimits = {
  /** The hook after authentication. */
  admit: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;
  /** Sets how many nodes share the limit of a team, and which teams have a custom limit. */
  refresh: (state: { nodes: number; own: ReadonlyMap<string, number> }) => void;
  /** Returns how many changes per second of its limit a team is using now. */
  writesOf: (team: string) => number;
  /** Counts one more change of a team. Throws 429 above the limit. */
  spendWrite: (team: string) => void;
};

type TeamLimitOptions = {
  writesPerSecond: number;
  maxConcurrentPerTeam: number;
  maxConcurrentPerToken: number;
  /** Called when a team exceeds a quota. */
  exceeded: (team: string, quota: string) => void;
};

/** An idle team can make as many changes in a burst as in this time at its rate. */
const burstMs = 10_000;

export function limitTeams(options: TeamLimitOptions): TeamLimits {
  const teams = new Map<string, number>();
  const tokens = new Map<string, number>();
  /** By team: the time at which all its changes would be complete at an even rate (a leaky bucket, GCRA). */
  const paces = boundedCache<number>(50_000);
  let nodes = 1;
  let own: ReadonlyMap<string, number> = new Map();

  const limitOf = (team: string) => Math.max(1, own.get(team) ?? options.writesPerSecond);

  /** Returns the seconds until a team can make a change; 0 if it can now. */
  function paceOf(team: string): number {
    const now = performance.now();
    const free = Math.max(now, paces.get(team) ?? 0);
    const next = free + (1_000 * nodes) / limitOf(team);
    if (next - now > Math.max(burstMs, next - free)) return Math.ceil((next - now - burstMs) / 1_000);
    paces.set(team, next);
    return 0;
  }

  /** Counts a change of a team, or returns the error if the team is above its limit. */
  function oneMore(team: string): Problem | undefined {
    const wait = paceOf(team);
    if (wait === 0) return undefined;
    options.exceeded(team, 'writes');
    return tooManyWrites(limitOf(team), wait);
  }

  function enter(counts: Map<string, number>, key: string, reply: FastifyReply): void {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    onResponseClose(reply, () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left <= 0) counts.delete(key);
      else counts.set(key, left);
    });
  }

  return {
    admit: (request, reply, done) => {
      const { principal } = request;
      const team = principal?.team;
      if (!principal || team === undefined) return done();
      if ((tokens.get(principal.sessionId) ?? 0) >= options.maxConcurrentPerToken)
        return done(atOnce('This session or client', options.maxConcurrentPerToken));
      if ((teams.get(team) ?? 0) >= options.maxConcurrentPerTeam) return done(atOnce('Your team', options.maxConcurrentPerTeam));
      enter(tokens, principal.sessionId, reply);
      enter(teams, team, reply);
      if (request.method === 'GET' || request.method === 'HEAD' || request.routeOptions.config?.countsOwnWrites) return done();
      return done(oneMore(team));
    },
    spendWrite: (team) => {
      const refused = oneMore(team);
      if (refused) throw refused;
    },
    refresh: (state) => {
      ({ nodes, own } = state);
    },
    writesOf: (team) => Math.max(0, Math.ceil((((paces.get(team) ?? 0) - performance.now()) * limitOf(team)) / nodes / 1_000)),
  };
}

function atOnce(subject: string, limit: number) {
  return problems.rate_limited(
    `${subject} has ${limit} requests in progress, which is the maximum. Send this request again in a second, and send fewer at the same time.`,
    {
      headers: { 'retry-after': '1' },
    },
  );
}

function tooManyWrites(limit: number, wait: number) {
  return problems.rate_limited(
    `Your team made more than ${limit} changes per second for some time (quota \`writes\`). Wait ${wait} seconds, then send fewer per second. The operator of the service can raise the quota.`,
    { headers: { 'retry-after': String(wait) } },
  );
}
