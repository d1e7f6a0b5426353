import type { Setting } from '../../server/src/settings.ts';
import type { Language } from './language.ts';

type Text = Readonly<Record<Language, string>>;

export interface SettingMeaning extends Text {
  /** In place of the default value, where it depends on something else. */
  fallback?: Text;
}

const none: Text = { en: 'none', pt: 'nenhum' };

/** What each setting does, in the order of docs/settings.md. The limits and choices come from the settings themselves. */
export const settingGroups: readonly {
  title: Text;
  settings: Readonly<Partial<Record<Setting, SettingMeaning>>>;
}[] = [
  {
    title: { en: 'HTTP and logs', pt: 'HTTP e logs' },
    settings: {
      PORT: {
        en: 'the HTTP port; `0` chooses a free one',
        pt: 'a porta HTTP; `0` escolhe uma livre',
      },
      HOST: {
        en: 'the address on which the service listens',
        pt: 'o endereço em que o serviço escuta',
        fallback: {
          en: '`0.0.0.0`; `localhost` while the database holds public logins of the demonstration',
          pt: '`0.0.0.0`; `localhost` enquanto o banco tiver acessos públicos da demonstração',
        },
      },
      MALOTE_PUBLIC_URL: {
        en: 'the address in links, such as `https://entregas.example.com`',
        pt: 'o endereço usado nos links, como `https://entregas.example.com`',
        fallback: { en: 'that of each request', pt: 'o de cada requisição' },
      },
      MALOTE_TRUST_PROXY: {
        en: 'the proxies whose `X-Forwarded-*` headers are trusted: addresses, networks, `loopback`, separated by commas',
        pt: 'os proxies cujos cabeçalhos `X-Forwarded-*` são aceitos: endereços, redes, `loopback`, separados por vírgulas',
        fallback: none,
      },
      MALOTE_METRICS_TOKEN: {
        en: 'the bearer token that opens `/metrics`; without it `/metrics` answers only while the service listens on `localhost`',
        pt: 'o bearer token que abre `/metrics`; sem ele, `/metrics` só responde enquanto o serviço escuta em `localhost`',
        fallback: none,
      },
      MALOTE_LOG: {
        en: 'the level from which log lines are written, as JSON on the standard output',
        pt: 'o nível a partir do qual se escrevem linhas de log, em JSON, na saída padrão',
        fallback: {
          en: '`info`; at a terminal warnings and errors, as plain text',
          pt: '`info`; em um terminal, avisos e erros em texto simples',
        },
      },
    },
  },
  {
    title: { en: 'Data', pt: 'Dados' },
    settings: {
      DATABASE_URL: {
        en: 'your own PostgreSQL, version 15 to 18. The demonstration is then not created',
        pt: 'um PostgreSQL seu, da versão 15 à 18. A demonstração então não é criada',
        fallback: { en: 'the embedded server', pt: 'o servidor embutido' },
      },
      MALOTE_DATABASE_WAIT: {
        en: 'how many seconds the start waits for a database that does not answer',
        pt: 'quantos segundos o início espera por um banco que não responde',
      },
      MALOTE_POOL: {
        en: 'database connections of one process',
        pt: 'conexões de um processo com o banco',
      },
      MALOTE_DATA: {
        en: 'the folder of the embedded server, its key, and imported roads',
        pt: 'a pasta do servidor embutido, da chave dele e das ruas importadas',
      },
      MALOTE_BACKUPS: {
        en: 'how many daily backups of the embedded database are kept; `0` makes none',
        pt: 'quantas cópias diárias do banco embutido são guardadas; `0` não faz nenhuma',
      },
      MALOTE_BACKUP_FOLDER: {
        en: 'where these backups are written',
        pt: 'onde essas cópias são gravadas',
      },
      MALOTE_SECRET_KEY: {
        en: 'encrypts stored secrets: 32 random bytes in base64 or hexadecimal, the same for every process. Of several keys, separated by commas, the first encrypts and all decrypt',
        pt: 'cifra os segredos guardados: 32 bytes aleatórios em base64 ou hexadecimal, os mesmos em todos os processos. De várias chaves, separadas por vírgulas, a primeira cifra e todas decifram',
        fallback: {
          en: '`secret.key` in `MALOTE_DATA`; with `DATABASE_URL` none, and a warning',
          pt: '`secret.key` em `MALOTE_DATA`; com `DATABASE_URL`, nenhuma, e um aviso',
        },
      },
    },
  },
  {
    title: { en: 'Stopping', pt: 'Encerrar' },
    settings: {
      MALOTE_STOP_NOTICE: {
        en: 'for how many seconds `/readyz` answers 503 before the service ends',
        pt: 'por quantos segundos `/readyz` responde 503 antes de o serviço terminar',
      },
      MALOTE_STOP_LIMIT: {
        en: 'after how many seconds a stopping service ends in any case; fewer than its supervisor waits',
        pt: 'depois de quantos segundos o serviço termina de qualquer maneira ao parar; menos do que o supervisor espera',
      },
    },
  },
  {
    title: { en: 'Demonstration', pt: 'Demonstração' },
    settings: {
      MALOTE_DEMO: {
        en: 'what the first start writes to an embedded database: everything, the same with a Friday evening of 15 companies, 40 drivers and up to 250 open orders, logins and registers without deliveries, or nothing',
        pt: 'o que o primeiro início grava em um banco embutido: tudo, o mesmo com uma sexta-feira à noite de 15 empresas, 40 entregadores e até 250 pedidos abertos, usuários e cadastros sem entregas, ou nada',
      },
      MALOTE_DEMO_EXPOSED: {
        en: '`yes`, together with `HOST`, opens the public logins of the demonstration to other machines',
        pt: '`yes`, junto com `HOST`, abre os acessos públicos da demonstração a outras máquinas',
      },
      MALOTE_DEMO_ORDERS: {
        en: 'whether the demonstration orders by itself; `rush`: as much as its couriers can carry, at any hour',
        pt: 'se a demonstração faz pedidos sozinha; `rush`: tantos quanto os entregadores conseguem levar, a qualquer hora',
      },
      MALOTE_COURIERS: {
        en: 'whether this process moves simulated couriers, in centrals that have them',
        pt: 'se este processo move condutores simulados, nas centrais que os têm',
      },
    },
  },
  {
    title: { en: 'Roads, addresses and maps', pt: 'Ruas, endereços e mapas' },
    settings: {
      MALOTE_ROUTING: {
        en: 'where distances and times come from; `auto`: imported roads if there are any, else `estimator` (straight lines with a factor)',
        pt: 'de onde vêm distâncias e tempos; `auto`: as ruas importadas, se houver, senão `estimator` (linhas retas com um fator)',
      },
      MALOTE_ROADS: {
        en: 'the folder of imported roads',
        pt: 'a pasta das ruas importadas',
      },
      MALOTE_VALHALLA_URL: {
        en: 'a Valhalla server',
        pt: 'um servidor Valhalla',
        fallback: none,
      },
      MALOTE_OSRM_URL: {
        en: 'an OSRM server; `{profile}` becomes `motorcycle`, `car` or `bicycle`',
        pt: 'um servidor OSRM; `{profile}` vira `motorcycle`, `car` ou `bicycle`',
        fallback: none,
      },
      MALOTE_SNAP_METRES: {
        en: 'a point that is farther than this from every road is refused',
        pt: 'um ponto mais longe do que isto de qualquer rua é recusado',
      },
      MALOTE_GEOCODING: {
        en: 'who finds addresses without coordinates, for centrals that do not choose; `auto`: imported addresses if there are any, else nobody',
        pt: 'quem encontra endereços sem coordenadas, para centrais que não escolhem; `auto`: os endereços importados, se houver, senão ninguém',
      },
      MALOTE_NOMINATIM_URL: {
        en: 'a Nominatim server',
        pt: 'um servidor Nominatim',
        fallback: none,
      },
      MALOTE_PHOTON_URL: {
        en: 'a Photon server',
        pt: 'um servidor Photon',
        fallback: none,
      },
      MALOTE_GOOGLE_KEY: {
        en: 'the key of Google’s Geocoding API',
        pt: 'a chave da Geocoding API do Google',
        fallback: { en: 'none', pt: 'nenhuma' },
      },
      MALOTE_GOOGLE_URL: {
        en: 'a service that answers like that API',
        pt: 'um serviço que responde como essa API',
        fallback: { en: 'Google’s own', pt: 'o do próprio Google' },
      },
      MALOTE_MAP_STYLE: {
        en: 'a MapLibre style for maps; without it browsers contact no other server',
        pt: 'um estilo do MapLibre para os mapas; sem ele, os navegadores não consultam outro servidor',
        fallback: { en: 'the imported streets', pt: 'as ruas importadas' },
      },
    },
  },
  {
    title: {
      en: 'Images of proof in a store that speaks S3',
      pt: 'Imagens de comprovantes em um armazenamento S3',
    },
    settings: {
      MALOTE_S3_ENDPOINT: {
        en: 'its address, such as `https://s3.sa-east-1.amazonaws.com`; set all of these or none',
        pt: 'o endereço, como `https://s3.sa-east-1.amazonaws.com`; defina todas estas ou nenhuma',
        fallback: { en: 'none: images stay in PostgreSQL', pt: 'nenhum: as imagens ficam no PostgreSQL' },
      },
      MALOTE_S3_BUCKET: {
        en: 'a bucket that exists and is not public',
        pt: 'um bucket que existe e não é público',
        fallback: none,
      },
      MALOTE_S3_ACCESS_KEY: {
        en: 'a user who may get, put and delete objects',
        pt: 'um usuário que pode ler, gravar e apagar objetos',
        fallback: none,
      },
      MALOTE_S3_SECRET_KEY: {
        en: 'the secret of that user',
        pt: 'o segredo desse usuário',
        fallback: none,
      },
      MALOTE_S3_REGION: { en: 'the region', pt: 'a região' },
    },
  },
];
