import type { SsoConnection } from '@chancery/client';
import { useQueryClient } from '@tanstack/react-query';
import { api, type Versioned, versioned } from '../../../api.ts';

export const readConnection = (id: string): Promise<Versioned<SsoConnection>> =>
  versioned(api.GET('/api/v1/team/sso/{id}', { params: { path: { id } } }));

/** The provider of a connection in short: the host of its issuer, or an entity ID that is no address. */
export const providerOf = ({ issuer }: Pick<SsoConnection, 'issuer'>): string => URL.parse(issuer)?.host || issuer;

/** Stores a new version of a connection for its page. */
export function useRenewConnection(): (version: Versioned<SsoConnection>) => void {
  const client = useQueryClient();
  return (version) => {
    client.setQueryData(['sso', version.data.id], version);
    void client.invalidateQueries({ queryKey: ['sso', 'list'] });
  };
}

/** The domains in a text, such as one in each line. */
export const domainsIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((one) => one !== ''))];
