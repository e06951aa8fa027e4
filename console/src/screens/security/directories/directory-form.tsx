import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import type { Directory } from '@chancery/client';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { api, ok } from '../../../api.ts';
import { fieldsOf } from '../../../parts/fields.ts';
import { type Principal, PrincipalSelect, principalId } from '../../../parts/principal-select.tsx';
import { roleTexts } from '../../../texts/roles.ts';
import { useTexts } from '../../../texts/texts.ts';
import { providerOf } from '../sso/sso-data.ts';
import { directoryTexts } from './texts.ts';

const successors = ['owner', 'manager', 'member'] as const;

export type DirectorySettings = {
  name: string;
  connectionId: string | null;
  defaultRole: 'member' | 'viewer';
  successor: (typeof successors)[number];
  successorId: string | null;
  removalDelayDays: number;
  isActive: boolean;
};

/** Reads the entries of {@link DirectoryFields}. */
export function settingsOf(event: FormEvent<HTMLFormElement>, successorId: Principal | null): DirectorySettings {
  const fields = fieldsOf(event, 'name', 'connectionId', 'defaultRole', 'successor', 'removalDelayDays', 'isActive');
  const successor = successors.find((one) => one === fields.successor) ?? 'owner';
  return {
    name: fields.name,
    connectionId: fields.connectionId === '' ? null : fields.connectionId,
    defaultRole: fields.defaultRole === 'viewer' ? 'viewer' : 'member',
    successor,
    successorId: successor === 'member' && successorId !== null ? principalId(successorId) : null,
    removalDelayDays: Number(fields.removalDelayDays),
    isActive: fields.isActive !== '',
  };
}

/** Connections of one request; a team has at most ten. */
const maxConnections = 100;

type FieldsProps = {
  directory?: Directory;
  successor: (typeof successors)[number];
  setSuccessor: (successor: (typeof successors)[number]) => void;
  successorId: Principal | null;
  setSuccessorId: (member: Principal | null) => void;
};

/** The settings of a directory. */
export function DirectoryFields({ directory, successor, setSuccessor, successorId, setSuccessorId }: FieldsProps): JSX.Element {
  const words = useTexts(directoryTexts);
  const roles = useTexts(roleTexts);
  const { data: connections = [] } = useQuery({
    queryKey: ['sso', 'list', 'all'],
    queryFn: () => ok(api.GET('/api/v1/team/sso', { params: { query: { limit: maxConnections } } })),
  });
  return (
    <>
      <TextInput name="name" label={words.name} defaultValue={directory?.name} required maxLength={200} />
      {connections.length > 0 && (
        <NativeSelect
          // The value counts once its option is there.
          key={connections.length}
          name="connectionId"
          label={words.connection}
          description={words.connectionText}
          defaultValue={directory?.connectionId ?? ''}
          data={[{ value: '', label: words.noConnection }, ...connections.map((one) => ({ value: one.id, label: providerOf(one) }))]}
        />
      )}
      <NativeSelect
        name="defaultRole"
        label={words.defaultRole}
        defaultValue={directory?.defaultRole}
        data={(['member', 'viewer'] as const).map((value) => ({ value, label: roles[value] }))}
      />
      <NativeSelect
        name="successor"
        label={words.successor}
        value={successor}
        onChange={({ currentTarget: { value } }) => setSuccessor(successors.find((one) => one === value) ?? 'owner')}
        data={successors.map((value) => ({ value, label: words.successors[value] }))}
      />
      {successor === 'member' && <PrincipalSelect label={words.successorMember} value={successorId} onChange={setSuccessorId} required />}
      <NumberInput
        name="removalDelayDays"
        label={words.removalDelay}
        defaultValue={directory?.removalDelayDays ?? defaultDelayDays}
        min={0}
        max={90}
        clampBehavior="strict"
        allowDecimal={false}
        hideControls
        required
      />
      <Checkbox name="isActive" label={words.isActive} description={words.isActiveText} defaultChecked={directory?.isActive ?? true} />
    </>
  );
}

const defaultDelayDays = 7;
