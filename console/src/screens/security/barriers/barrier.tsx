import { Button } from '@mantine/core';
import type { Barrier } from '@chancery/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, page } from '../../../api.ts';
import { BarrierSection } from '../../../parts/barrier/barrier-section.tsx';
import { EmergencySection } from '../../../parts/barrier/emergency-section.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { Name, useName } from '../../../parts/name.tsx';
import { Section } from '../../../parts/section.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { managesTeam } from '../../../session/claims.ts';
import { useClaims } from '../../../session/use-session.ts';
import { commonTexts } from '../../../texts/common.ts';
import { useTexts } from '../../../texts/texts.ts';
import { FolderSettings } from '../folder-settings.tsx';
import styles from '../security.module.css';
import { barriersTexts } from './texts.ts';

/** Barriers of one request, and the most that are searched. */
const [pageBarriers, maxPages] = [500, 20];

/** Reads the entry of the register about a folder or matter. Returns null without a barrier. */
async function readRegistered(id: string): Promise<Barrier | null> {
  let cursor: string | undefined;
  for (let at = 0; at < maxPages; at += 1) {
    const { items, next } = await page(api.GET('/api/v1/barriers/', { params: { query: { limit: pageBarriers, cursor } } }));
    const found = items.find((one) => one.id === id);
    if (found) return found;
    if (next === undefined) return null;
    cursor = next;
  }
  return null;
}

/** The barrier on a folder or matter, or the folder on which one can be raised. */
export function BarrierPage(): JSX.Element {
  const { id } = useParams({ from: '/shell/settings/barriers/$id' });
  const claims = useClaims();
  const { missing } = useTexts(commonTexts);
  const words = useTexts(barriersTexts);
  const isManager = managesTeam(claims);
  const registered = useQuery({
    queryKey: ['folder', id, 'registered'],
    queryFn: () => readRegistered(id),
    enabled: isManager,
  });
  const name = useName(id);
  const known = name.data;
  const type = registered.data?.type ?? (known?.type === 'folder' || known?.type === 'matter' ? known.type : undefined);
  const content = () => {
    if (name.isPending || (isManager && registered.isPending)) return <Loading />;
    if (registered.isError || name.isError)
      return <Failed error={registered.error ?? name.error} retry={() => void registered.refetch()} />;
    if (type === undefined) return <Empty title={missing.title}>{missing.text}</Empty>;
    const place = { id, type, name: registered.data?.name ?? known?.name ?? '' };
    return <OneBarrier key={registered.data?.access} place={place} registered={registered.data ?? undefined} />;
  };
  return <FolderSettings title={words.title}>{content()}</FolderSettings>;
}

type OneBarrierProps = { place: { id: string; type: 'folder' | 'matter'; name: string }; registered: Barrier | undefined };

function OneBarrier({ place, registered }: OneBarrierProps): JSX.Element {
  const words = useTexts(barriersTexts);
  const isOutside = registered?.access === 'none';
  // Emergency access is for reading only.
  const isReader = registered?.access === 'emergency';
  return (
    <>
      <Section title={place.name} actions={!isOutside && <OpenLink {...place} />}>
        <Facts
          facts={{
            [words.type]: words.types[place.type],
            [words.owner]: registered && <Name id={registered.userId} />,
            [words.access]: registered && words.accesses[registered.access],
          }}
        />
        {isOutside && (
          <p className={styles.locked}>
            <Icon name="lock" size={16} />
            {words.excluded}
          </p>
        )}
      </Section>
      {!isOutside && <BarrierSection place={place} isManaged={!isReader} />}
      <EmergencySection place={place} mayAsk={isOutside} />
    </>
  );
}

function OpenLink({ id, type }: { id: string; type: 'folder' | 'matter' }): JSX.Element {
  const words = useTexts(barriersTexts);
  return type === 'matter' ? (
    <Button variant="default" renderRoot={(props) => <Link {...props} to="/matters/$id" params={{ id }} />}>
      {words.openMatter}
    </Button>
  ) : (
    <Button variant="default" renderRoot={(props) => <Link {...props} to="/documents" search={{ folder: id }} />}>
      {words.openFolder}
    </Button>
  );
}
