import { useWords } from '../../../shared/words.ts';
import { NAVIGATORS, type Navigator, navigatorNames } from '../device/navigation.ts';
import { Sheet } from '../ui/Sheet.tsx';
import { useApp, useAppState } from '../useApp.ts';

/** The choice of the navigation app, which the phone remembers. */
export function NavigatorSheet({
  onChosen,
  onClose,
}: {
  onChosen: (chosen: Navigator) => void;
  onClose: () => void;
}) {
  const t = useWords();
  const app = useApp();
  const { navigator: current } = useAppState('navigator');
  return (
    <Sheet title={t('Abrir o caminho em', 'Open the way in')} onClose={onClose}>
      <div className="choices column">
        {NAVIGATORS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === current}
            onClick={() => {
              app.chooseNavigator(each);
              onChosen(each);
            }}
          >
            {navigatorNames[each]}
          </button>
        ))}
      </div>
      <p className="soft">
        {t(
          'A escolha fica guardada. Você pode trocá-la a qualquer hora.',
          'Your choice is kept. You can change it at any time.',
        )}
      </p>
    </Sheet>
  );
}
