import { Link, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Versioned } from '../../api.ts';
import { Facts } from '../../parts/facts.tsx';
import { Name } from '../../parts/name.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { roleTexts } from '../../texts/roles.ts';
import { useTexts } from '../../texts/texts.ts';
import { AccessSection, OwnerSection, RemoveSection } from './member-access.tsx';
import { type Member, nameOf, useMember } from './member-data.ts';
import { MemberIdentities } from './member-identities.tsx';
import { RoleForm } from './member-role.tsx';
import { memberTexts } from './member-texts.ts';
import styles from './settings.module.css';
import { settingsTexts } from './texts.ts';

/** The page of a member. */
export function MemberPage(): JSX.Element {
  const { members } = useTexts(settingsTexts);
  const { userId = '' } = useParams({ strict: false });
  const query = useMember(userId);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return (
    <Screen title={nameOf(query.data.data)}>
      <nav>
        <Link to="/settings/members">{members}</Link>
      </nav>
      <MemberView member={query.data} />
    </Screen>
  );
}

/** A member in the side panel. */
export function MemberPeek({ id }: { id: string }): JSX.Element {
  const { openPage } = useTexts(commonTexts);
  const query = useMember(id);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className={styles.view}>
      <h2 className={styles.panelTitle}>{nameOf(query.data.data)}</h2>
      <Link to="/settings/members/$userId" params={{ userId: id }}>
        {openPage}
      </Link>
      <MemberView member={query.data} />
    </div>
  );
}

function MemberView({ member: version }: { member: Versioned<Member> }): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(memberTexts);
  const claims = useClaims();
  const { data: member, etag } = version;
  const fixed = !managesTeam(claims)
    ? shared.onlyManagers
    : member.role === 'owner'
      ? words.isOwner
      : member.id === claims.sub
        ? words.isYou
        : undefined;
  const sponsors = !managesTeam(claims) && member.role === 'guest' && member.sponsorId === claims.sub;
  return (
    <div className={styles.view}>
      <MemberFacts member={member} />
      {sponsors ? (
        <RoleForm key={etag} member={version} />
      ) : fixed === undefined ? (
        <>
          {member.role !== 'auditor' && <RoleForm key={etag} member={version} />}
          <MemberIdentities member={member} />
          <AccessSection member={version} />
          {claims.role === 'owner' && member.isActive && member.endsAt === undefined && <OwnerSection member={member} />}
          <RemoveSection member={version} />
        </>
      ) : (
        <p className="soft">{fixed}</p>
      )}
    </div>
  );
}

function MemberFacts({ member }: { member: Member }): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(memberTexts);
  const roles = useTexts(roleTexts);
  const { email, undeliverable, role, isActive, endsAt, sponsorId, twoFactorEnabled, joinedAt } = member;
  const factor = twoFactorEnabled ? words.on : words.off;
  return (
    <>
      <Facts
        facts={{
          [shared.email]: email,
          [shared.role]: roles[role],
          [words.access]: isActive ? undefined : words.suspended,
          [shared.until]: endsAt && <Time at={endsAt} exact />,
          [shared.sponsor]: sponsorId && <Name id={sponsorId} />,
          [words.secondFactor]: twoFactorEnabled === undefined ? undefined : factor,
          [words.since]: <Time at={joinedAt} />,
        }}
      />
      {undeliverable !== undefined && <p className={styles.warning}>{words.undeliverable}</p>}
    </>
  );
}
