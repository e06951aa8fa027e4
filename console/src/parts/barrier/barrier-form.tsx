import { CloseButton } from '@mantine/core';
import type { JSX } from 'react';
import { useState } from 'react';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import { ActionForm } from '../dialog.tsx';
import { Name, useName } from '../name.tsx';
import { isGroup, type Principal, PrincipalSelect, principalId } from '../principal-select.tsx';
import { RowOf, Rows } from '../section.tsx';
import { type BarrierPlace, type BarrierState, putBarrier } from './barrier-data.ts';
import styles from './barrier.module.css';
import { barrierTexts } from './texts.ts';

type BarrierFormProps = { place: BarrierPlace; barrier: BarrierState | undefined; done: () => void; close: () => void };

/** Selects who is inside a barrier, and raises or changes it. */
export function BarrierForm({ place, barrier, done, close }: BarrierFormProps): JSX.Element {
  const words = useTexts(barrierTexts);
  const { sub } = useClaims();
  const [inside, setInside] = useState<readonly Principal[]>(() =>
    barrier
      ? [...barrier.userIds.map((id): Principal => `user:${id}`), ...barrier.groupIds.map((id): Principal => `group:${id}`)]
      : [`user:${sub}`],
  );
  const send = async () => {
    const [groups, users] = [inside.filter(isGroup), inside.filter((one) => !isGroup(one))];
    await putBarrier(place, { userIds: users.map(principalId), groupIds: groups.map(principalId) });
    done();
  };
  const isInside = inside.includes(`user:${sub}`) || inside.some(isGroup);
  return (
    <ActionForm verb={barrier ? words.changeNow : words.raiseNow} isDisabled={inside.length === 0} close={close} send={send}>
      <Rows label={words.inside}>
        {inside.map((one) => (
          <InsideRow key={one} principal={one} remove={() => setInside(inside.filter((other) => other !== one))} />
        ))}
      </Rows>
      <PrincipalSelect
        key={inside.length}
        label={words.add}
        value={null}
        onChange={(one) => one !== null && setInside([...inside, one])}
        without={new Set(inside)}
        groups
      />
      <p>{barrier ? words.changeConsequence(place.name) : words.raiseConsequence(place.name)}</p>
      {!isInside && (
        <p className={styles.warning} role="status">
          {inside.length === 0 ? words.empty : words.notInside}
        </p>
      )}
    </ActionForm>
  );
}

function InsideRow({ principal, remove }: { principal: Principal; remove: () => void }): JSX.Element {
  const words = useTexts(barrierTexts);
  const { sub } = useClaims();
  const id = principalId(principal);
  const { data } = useName(id);
  return (
    <RowOf
      title={
        <>
          <Name id={id} />
          {id === sub && <span className="soft">({words.you})</span>}
          {isGroup(principal) && <span className="soft">({words.group})</span>}
        </>
      }
      actions={<CloseButton aria-label={words.remove(data?.name ?? '')} onClick={remove} />}
    />
  );
}
