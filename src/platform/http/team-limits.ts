import type { FastifyReply, FastifyRequest } from 'fastify';
import { boundedCache } from '../bounded-cache.ts';
import { type Problem, problems } from '../problems.ts';
import { onResponseClose } from './on-response-close.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** How many changes a second of its pace a team has used up on this node. */
    writesOf(team: string): number;
  }
}

/** What one team, and one credential, may do at once and in a second on this node. */
export type TeamLimits = {
  /** The hook behind the proof of a credential. */
  admit: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;
  /** How many nodes share a team's pace, and which teams have one of their own. */
  refresh: (state: { nodes: number; own: ReadonlyMap<string, number> }) => void;
  /** How many changes a second of its pace a team has used up at this moment. */
  writesOf: (team: string) => number;
  /** Counts one more change of a team. Throws 429 where it is one too many. */
  spendWrite: (team: string) => void;
};

type Options = {
  writesPerSecond: number;
  maxConcurrentPerTeam: number;
  maxConcurrentPerToken: number;
  /** Told which quota of a team is used up. */
  exceeded: (team: string, quota: string) => void;
};

/** A team that did nothing for a while may do so many seconds' worth at once. */
const burstMs = 10_000;

export function limitTeams(options: Options): TeamLimits {
  const teams = new Map<string, number>();
  const tokens = new Map<string, number>();
  /** When all changes of a team would have been made at an even pace (a leaky bucket: GCRA). */
  const paces = boundedCache<number>(50_000);
  let nodes = 1;
  let own: ReadonlyMap<string, number> = new Map();

  const limitOf = (team: string) => Math.max(1, own.get(team) ?? options.writesPerSecond);

  /** Seconds until a team may change something again; 0 when it may now. */
  function paceOf(team: string): number {
    const now = performance.now();
    const free = Math.max(now, paces.get(team) ?? 0);
    const next = free + (1_000 * nodes) / limitOf(team);
    if (next - now > Math.max(burstMs, next - free)) return Math.ceil((next - now - burstMs) / 1_000);
    paces.set(team, next);
    return 0;
  }

  /** Counts a change of a team, or says why it may not be made. */
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
    `${subject} has ${limit} requests in progress, which is the maximum. Send this one again in a second, and fewer at once.`,
    {
      headers: { 'retry-after': '1' },
    },
  );
}

function tooManyWrites(limit: number, wait: number) {
  return problems.rate_limited(
    `Your team has changed more than ${limit} things a second for a while (quota \`writes\`). Wait ${wait} seconds, and send fewer a second; the operator of the service may raise the quota.`,
    { headers: { 'retry-after': String(wait) } },
  );
}
