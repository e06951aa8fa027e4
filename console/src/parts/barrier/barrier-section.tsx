import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import { ConfirmButton } from '../confirm.tsx';
import { Dialog } from '../dialog.tsx';
import { Name } from '../name.tsx';
import { RowOf, Rows, Section } from '../section.tsx';
import { Failed, Loading } from '../states.tsx';
import { Time } from '../time.tsx';
import { toast } from '../toasts.tsx';
import { type BarrierPlace, type BarrierState, liftBarrier, useBarrier, useExcluded } from './barrier-data.ts';
import { BarrierForm } from './barrier-form.tsx';
import styles from './barrier.module.css';
import { barrierTexts } from './texts.ts';

/** The barrier on a folder or matter: who is inside and outside, and its changes for those who manage the place. */
export function BarrierSection({ place, isManaged }: { place: BarrierPlace; isManaged: boolean }): JSX.Element {
  const words = useTexts(barrierTexts);
  const client = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const query = useBarrier(place);
  const barrier = query.data ?? undefined;
  // A barrier changes the access to resources on all screens.
  const renew = () => client.invalidateQueries();
  const lift = async () => {
    await liftBarrier(place);
    toast(words.lifted);
    await renew();
  };
  const actions = isManaged && query.data !== undefined && (
    <>
      <Button variant="default" onClick={() => setEditing(true)}>
        {barrier ? words.change : words.raise}
      </Button>
      {barrier && (
        <ConfirmButton label={words.lift} title={words.liftNow} verb={words.liftNow} action={lift}>
          <p>{words.liftConsequence(place.name)}</p>
        </ConfirmButton>
      )}
    </>
  );
  return (
    <Section title={words.barrier} text={words.text} actions={actions}>
      {query.isPending && <Loading rows={2} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data === null && <p>{words.none}</p>}
      {barrier && <BarrierPeople place={place} barrier={barrier} />}
      <Dialog title={barrier ? words.changeTitle : words.raiseNow} isOpen={isEditing} close={() => setEditing(false)}>
        <BarrierForm
          place={place}
          barrier={barrier}
          close={() => setEditing(false)}
          done={() => {
            toast(barrier ? words.changed : words.raised);
            void renew();
          }}
        />
      </Dialog>
    </Section>
  );
}

function BarrierPeople({ place, barrier }: { place: BarrierPlace; barrier: BarrierState }): JSX.Element {
  const words = useTexts(barrierTexts);
  const { sub } = useClaims();
  const { userIds, groupIds, since, status, progress } = barrier;
  const excluded = useExcluded(place, barrier);
  const said = status === 'active' ? undefined : words[status](progress?.documents ?? 0, progress?.total ?? 0);
  return (
    <div className={styles.part}>
      {said !== undefined && (
        <p className={styles.warning} role="status">
          {said}
        </p>
      )}
      <p className="soft">
        {words.since} <Time at={since} />
      </p>
      <h3>{words.inside}</h3>
      <p className="soft">{words.insideText}</p>
      <Rows label={words.inside}>
        {userIds.map((id) => (
          <RowOf
            key={id}
            title={
              <>
                <Name id={id} />
                {id === sub && <span className="soft">({words.you})</span>}
              </>
            }
          />
        ))}
        {groupIds.map((id) => (
          <RowOf key={id} title={<Name id={id} />} detail={words.group} />
        ))}
      </Rows>
      {excluded.data && (
        <>
          <h3>{words.outside}</h3>
          {excluded.data.length === 0 ? (
            <p>{words.noneOutside}</p>
          ) : (
            <Rows label={words.outside}>
              {excluded.data.map((id) => (
                <RowOf key={id} title={<Name id={id} />} />
              ))}
            </Rows>
          )}
          <p className="soft">{words.outsideText}</p>
        </>
      )}
    </div>
  );
}
