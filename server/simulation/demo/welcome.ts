import { orderExample } from '../../src/api/json/orderBody.ts';
import { isBuilt } from '../../src/platform/kernel/programFiles.ts';
import { demoCentrals } from './demoCentrals.ts';
import { moreDrivers } from './demoFleet.ts';

/** The addresses of the service. */
interface Whereabouts {
  host: string;
  port: number;
  publicUrl: string | undefined;
}

/** The empty demonstration has the first drivers only, and no staff. */
export const demoLogins = (content: 'full' | 'empty'): string => {
  const isFull = content === 'full';
  const last = demoCentrals[0]!.drivers.length + (isFull ? moreDrivers.length : 0);
  return [
    '  Central Demonstração           api-key  demo-chave',
    '    operação / operator          central / demo',
    ...(isFull
      ? ['    equipe / staff               supervisor, financeiro, atendente, consulta / demo']
      : []),
    '    gerentes / managers          gerente / demo, gerente2 / demo',
    `    entregadores / drivers       condutor1 … condutor${last} / demo`,
    '  Central Vizinha                api-key  demo-vizinha',
    '    operação / operator          vizinha / demo',
  ].join('\n');
};

/** The message of a first start. Its curl lines work as pasted. */
export function welcome(whereabouts: Whereabouts): string {
  const address = addressOf(whereabouts);
  const base = `${address}/api/v2/integracao`;
  const login = "-u gerente:demo -H 'api-key: demo-chave'";
  return `
Malote: demonstração no ar / demonstration running

  Base URL        ${base}
  Console         ${address}/console   (Central Demonstração, central / demo)
  Docs            ${address}/docs
  Operação        ${address}/api/v2/operacao
  Entregador      ${address}/entregador   (Central Demonstração, condutor1 / demo)

${demoLogins('full')}

  Listar entregas / list deliveries:

curl -s -X POST ${login} ${base}/entregas/consultar

  Abrir uma entrega / open a delivery:

curl -s ${login} -H 'Content-Type: application/json' -d '${JSON.stringify(orderExample)}' ${base}/entregas

  Ctrl-C encerra / ends it.${isLocal(whereabouts.host) ? HERE_ONLY : ''}
`;
}

const HERE_ONLY = `
  Só para esta máquina / for this machine only. Para as outras / for others:
  HOST=0.0.0.0 MALOTE_DEMO_EXPOSED=yes ${isBuilt ? 'malote serve' : 'npm start'}`;

const isLocal = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host);

/** The configured address, else one that works on this machine. */
function addressOf({ publicUrl, host, port }: Whereabouts): string {
  if (publicUrl) return publicUrl;
  const everywhere = host === '0.0.0.0' || host === '::';
  if (everywhere || isLocal(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
