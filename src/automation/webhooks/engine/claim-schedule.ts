import { smallestId } from '../../../platform/identifiers.ts';
import type { Look } from './claim-queries.ts';

/**
 * What came of a look: how many endpoints it passed, the last of them, and whether it left something due where it looked.
 * `enough`: the walk goes on when somebody asks for it, and not by itself.
 */
export type Seen = { scanned: number; last: { team: string; endpoint: string } | undefined; left: boolean; enough?: boolean };

/** Where the next claims look: at teams that something was heard of, and along everything that is queued, in turn. */
export type Agenda = {
  /** Something of this team may be due. */
  add(teamId: string): void;
  /** Something may be due, nobody knows of whom. */
  addAll(): void;
  waits(): boolean;
  /** `inSteps`: a walk is short, and others are looked at soon again. */
  next(inSteps?: boolean): Look | undefined;
  done(look: Look, seen: Seen): void;
};

const scan = 256;
/** A look at so many takes no longer than one at a team. */
const scanInSteps = 40;
/** A team has 50 endpoints at most: no look takes much longer than a few milliseconds. */
const teamsAtOnce = 16;
const start = { team: smallestId, endpoint: smallestId };

/**
 * A look at teams costs the same however many endpoints of others hang or fail with a backlog; the walk along everything
 * finds what nobody spoke of.
 */
export function createAgenda(): Agenda {
  const teams = new Set<string>();
  let all = false;
  let position = start;
  let leftOnLap = false;
  let walked = true;

  return {
    add: (teamId) => void teams.add(teamId),
    addAll() {
      all = true;
    },
    waits: () => all || teams.size > 0,
    next(inSteps = false) {
      walked = all && (teams.size === 0 || !walked);
      if (walked) {
        all = false;
        return { afterTeam: position.team, afterEndpoint: position.endpoint, scan: inSteps ? scanInSteps : scan };
      }
      const some = [...teams].slice(0, teamsAtOnce);
      for (const team of some) teams.delete(team);
      return some.length > 0 ? { teams: some } : undefined;
    },
    done(look, { scanned, last, left, enough = false }) {
      if ('teams' in look) {
        if (left) for (const team of look.teams) teams.add(team);
        return;
      }
      const lapDone = scanned < look.scan;
      position = lapDone ? start : (last ?? start);
      leftOnLap ||= left;
      if (!enough && (!lapDone || leftOnLap)) all = true;
      if (lapDone) leftOnLap = false;
    },
  };
}
