import { useWords } from '../../../console/src/words.ts';

export function SignIn() {
  const t = useWords();
  return (
    <main className="sign-in">
      <h1>Malote Entregador</h1>
      <p>
        {t(
          'Peça à sua central o link ou o código QR de entrada e abra-o neste aparelho.',
          'Ask your central for the sign-in link or QR code and open it on this phone.',
        )}
      </p>
    </main>
  );
}
