"""The French of what self-test, calibration and the check of a configuration say in English.

On the left each sentence as the code has it, {} for what is filled in; on the right its French,
with the same {} in the same order (as {1}, {0} in another). firmware/services/page/french.py puts
in what was filled in, itself in French where it stands here; tests/page/test_french.py knows
of every sentence of that code whether it stands here.
"""

# fmt: off
WORDS = {
    "ccw": "sens inverse des aiguilles",
    "cw": "sens des aiguilles",
    "all": "tous",
    "controller": "contrôleur",
    "faults": "défauts",
    "encoder": "codeur",
    "motor": "moteur",
    "buttons": "boutons",
    "cups": "coupelles",
    "lines": "lignes",
    "rim beams": "barrières de piste",
    "ring sensors": "capteurs de couronne",
    "slow parts": "organes lents",
    "level": "niveau",
    "level zero": "zéro du niveau",
    "zero mark": "repère zéro",
    "speeds": "vitesses",
    "clock": "horloge",
    "displays": "afficheurs",
    "bus line": "ligne des afficheurs",
    "display {}": "afficheur {}",
    "expander {}": "extension {}",
    "number {}": "numéro {}",
    "edges": "fronts",
    "pulses": "impulsions",
    "deg": "°",
    "{} deg": "{}°",
    "mdeg": "m°",
    "a turn": "par tour",
    "% dark": "% coupé",
    "% of the ball": "% de la bille",
    "% of told": "% de la consigne",
    "as told": "comme dit",
    "trusted": "fiable",
    "ms ago": "ms",
    "answers": "répond",
    "not measured": "non mesuré",
    "{} to {} rpm": "{} à {} tr/min",
    "x {}, y {}": "x {}, y {}",
    "x {}, y {} deg": "x {}°, y {}°",
}
PARTS = {
    "at rest": "à l'arrêt",
    "turning {}": "en rotation, {}",
    "{} lit, {}": "{} libre, {}",
    "{} dark": "{} coupé",
    "{} dark for": "{} coupé pendant",
    "{} alone": "{} seul",
    "{} sees the ball, {}": "{} voit la bille, {}",
    "{} width, {}": "{}, largeur, {}",
    "{} scatter, {}": "{}, dispersion, {}",
    "{} place, {}": "{}, position, {}",
    "direction, {}": "sens, {}",
    "encoder, {}": "codeur, {}",
    "channel A, {}": "voie A, {}",
    "channel B, {}": "voie B, {}",
    "A to B, {}": "de A à B, {}",
    "zero mark, {}": "repère zéro, {}",
    "slips, {}": "sauts, {}",
    "lost on the way here, {}": "perdus en chemin, {}",
    "both ways alike": "pareil dans les deux sens",
    "turns {}": "tourne, {}",
    "speed, {}": "vitesse, {}",
    "told {} rpm": "consigne : {} tr/min",
    "ripple, {}": "ondulation, {}",
    "once a turn, {}": "une fois par tour, {}",
    "run-up, {}": "mise en vitesse, {}",
    "run-out, {}": "arrêt libre, {}",
    "{} heard": "{} entendu",
    "{} lights": "{} allumé",
    "{} is gone": "{} a disparu",
    "nobody lent a hand": "personne n'a prêté la main",
    "no ball: {}": "pas de bille : {}",
    "a hand turns this rotor": "ce cylindre est tourné à la main",
    "they are tested where a motor turns the ball past them":
        "ils sont testés là où un moteur fait passer la bille devant eux",
    "the encoder says no angle": "le codeur ne donne pas d'angle",
    "nothing was seen before it": "rien n'a été vu devant lui",
    "no whole turn at one speed": "pas un tour entier à vitesse constante",
    "it does not answer, or has not yet: try again in ten seconds":
        "ne répond pas, ou pas encore : recommencez dans dix secondes",
    "it has stopped since it was set: change its battery, set it":
        "arrêtée depuis son réglage : changez sa pile, réglez-la",
    "the board names no sensor": "la carte n'en nomme pas",
    "the board names none": "la carte n'en nomme pas",
    "the wheel has none": "le cylindre n'en a pas",
    "no port is opened": "aucun port n'est ouvert",
}
LIMITS = {
    "firmware/core/sense/ring.py: so wide is a ball that lies still":
        "firmware/core/sense/ring.py : largeur d'une bille immobile",
    "an edge that is lost makes every count a guess":
        "un front perdu rend tout compte incertain",
    "none may come of a test (docs/faults.md)":
        "un test ne doit en causer aucun (docs/faults.md)",
    "nothing is before it: dark means dirt, or sensor and light apart":
        "rien n'est devant : coupé veut dire saleté, ou capteur et lumière désalignés",
    "a finger is one pulse; a sensor that bounces makes many":
        "un doigt fait une impulsion ; un capteur qui rebondit en fait plusieurs",
    "a finger takes longer than the noise that the core leaves out (PULSE_MIN_US,"
    " firmware/core/sense/beams.py)":
        "un doigt dure plus que le bruit que le contrôleur écarte (PULSE_MIN_US,"
        " firmware/core/sense/beams.py)",
    "one finger is before one sensor": "un doigt n'est que devant un capteur",
    "a ball that lies in a compartment passes each sensor once a turn":
        "une bille dans sa case passe devant chaque capteur une fois par tour",
    "standard deviation; 35 % of the pitch decides (DESIGN section 3), so this is never the"
    " reason for a doubt":
        "écart type ; 35 % du pas décident (DESIGN, section 3), ce n'est donc jamais la raison"
        " d'un doute",
    "from the drawing, against the mean of the sensors: 35 % of a pitch is 3.4 deg at 37"
    " compartments, less the ball's play of 1.9 deg":
        "écart au plan, par rapport à la moyenne des capteurs : 35 % d'un pas font 3,4° pour 37"
        " cases, moins le jeu de la bille de 1,9°",
    "channels or motor leads are swapped else":
        "sinon les voies ou les fils du moteur sont inversés",
    "the zero mark is there once": "le repère zéro y est une fois",
    "90 deg apart; beyond 45 deg two edges may change places":
        "90° entre elles ; au-delà de 45° deux fronts peuvent s'intervertir",
    "an edge that cannot be is a missing one": "un front impossible est un front qui manque",
    "the control holds it within a few per cent (drivers/rotor_motor.py)":
        "la régulation la tient à quelques pour cent (drivers/rotor_motor.py)",
    "between two edges the core takes the speed as even; 4 % are 0.1 deg":
        "entre deux fronts le contrôleur tient la vitesse pour constante ; 4 % font 0,1°",
    "once a turn: a disc out of centre, a rotor out of balance":
        "une fois par tour : un disque excentré, un cylindre déséquilibré",
    "both ways alike: else something rubs one way":
        "pareil dans les deux sens : sinon quelque chose frotte dans l'un",
    "sooner it rubs, later it does not come to rest between two coups":
        "plus tôt, il frotte ; plus tard, il ne s'arrête pas entre deux coups",
    "[level] warn_deg; the call is learned on a level wheel":
        "[level] warn_deg ; l'annonce s'apprend sur un cylindre de niveau",
    "the chip says itself whether it has stopped since it was set":
        "la puce dit elle-même si elle s'est arrêtée depuis son réglage",
    "longer is silent (firmware/bus/displays.py)":
        "plus long, c'est le silence (firmware/bus/displays.py)",
    "it lights what it was told, or a dash (DESIGN section 4)":
        "il montre ce qui lui a été dit, ou un trait (DESIGN, section 4)",
    "it is fitted, so it has to answer": "il est monté, donc il doit répondre",
    "two edges a cycle (boards/)": "deux fronts par cycle (boards/)",
    "the ramp of drivers/rotor_motor.py, and the rotor's own 1.5 s":
        "la rampe de drivers/rotor_motor.py, et 1,5 s du cylindre lui-même",
}
SELFTEST = {
    "Pass one finger through {} to {}, one after the other.":
        "Passez un doigt dans {} à {}, l'un après l'autre.",
    "Take the ball out, and keep clear of the wheel.":
        "Retirez la bille et écartez-vous du cylindre.",
    "Asking level, clock, memory, line and displays.":
        "Niveau, horloge, mémoire, ligne et afficheurs sont interrogés.",
    "Looking at every sensor with nothing before it.":
        "Chaque capteur est lu sans rien devant lui.",
    "Take the ball out.": "Retirez la bille.",
    "Turning the rotor {} at {} rpm.": "Le cylindre tourne, {}, à {} tr/min.",
    "Turning the ball past the ring sensors, {}.":
        "La bille passe devant les capteurs de couronne, {}.",
    "Lay the ball into any compartment, and keep clear.":
        "Posez la bille dans une case quelconque et écartez-vous.",
    "Turn the rotor {} by hand: a good push, then let it run.":
        "Tournez le cylindre à la main, {} : une bonne poussée, puis laissez-le courir.",
    "A coup is open: waiting for its end.": "Un coup est en cours : sa fin est attendue.",
    "Look at cylindre status whether the wheel is still out of play, then run it again.":
        "Voyez par cylindre status si le cylindre est encore hors service, puis recommencez.",
    "The session of whoever began this has ended."
    " Log in again and put the wheel back into play, then run it again.":
        "La session de qui a commencé ceci est terminée."
        " Reconnectez-vous, remettez le cylindre en jeu, puis recommencez.",
    "The wheel is out of play for service already. Put it back into play, then run this again.":
        "Le cylindre est déjà hors service. Remettez-le en jeu, puis recommencez.",
    "{} Put it back into play, then run this again.":
        "{} Remettez-le en jeu, puis recommencez.",
    "The coup does not end: void it (cylindre void), then run this again.":
        "Le coup ne finit pas : annulez-le (cylindre void), puis recommencez.",
    "The controller at {} is gone in the middle.":
        "Le contrôleur à {} a disparu en plein travail.",
    "No controller is running at {}. Start one with cylindre run.":
        "Aucun contrôleur ne tourne à {}. Lancez-en un par cylindre run.",
}
CALIBRATION = {
    "Take the ball out: the rotor is turned at its lowest and highest speeds.":
        "Retirez la bille : le cylindre tourne à ses vitesses la plus basse et la plus haute.",
    "Set the wheel level with a machinist's level on the rim.":
        "Mettez le cylindre de niveau avec un niveau de mécanicien posé sur le bord.",
    "The level sensor has not measured: left out.":
        "Le capteur de niveau n'a rien mesuré : étape passée.",
    "Lay the ball into compartment {} ({}), keep clear.":
        "Posez la bille dans la case {} ({}) et écartez-vous.",
    "Turning the ball in compartment {} past the sensors, {}.":
        "La bille de la case {} passe devant les capteurs, {}.",
    "Throw the ball {}, as hard as for a coup.":
        "Lancez la bille, {}, aussi fort que pour un coup.",
    "Waiting for the ball: throw it {} now.": "La bille est attendue : lancez-la, {}.",
    "The ball ran the other way: throw it {}.":
        "La bille a couru dans l'autre sens : lancez-la, {}.",
    "{} Again?": "{} Recommencer ?",
    "The ball lay in {} compartments: it takes {}, turned both ways. Go on with cylindre"
    " calibrate.":
        "La bille a été dans {} cases : il en faut {}, tournées dans les deux sens. Reprenez par"
        " cylindre calibrate.",
    "The rotor made too few turns: it takes {} whole ones.":
        "Le cylindre a fait trop peu de tours : il en faut {} entiers.",
    "The encoder was not sure of its angle: run cylindre selftest first.":
        "Le codeur n'était pas sûr de son angle : faites d'abord l'autotest.",
    "{} saw something {} times in {} turns.": "{} a vu quelque chose {} fois en {} tours.",
    "Leave one ball alone in the wheel, or clean the sensor.":
        "Ne laissez qu'une bille dans le cylindre, ou nettoyez le capteur.",
    "The ball that was to lie in compartment {} lay in another.":
        "La bille qui devait être dans la case {} était dans une autre.",
    "Count in layout order, clockwise from 0, and begin anew.":
        "Comptez dans l'ordre des cases, dans le sens des aiguilles depuis le 0, et recommencez"
        " depuis le début.",
    "The lays say too little: begin anew (--anew).":
        "Ces mesures disent trop peu : recommencez depuis le début (--anew).",
    "The ball made too few turns: throw it harder.":
        "La bille a fait trop peu de tours : lancez-la plus fort.",
    "The ball was thrown one way alone: it takes a throw ccw and one cw.":
        "La bille n'a été lancée que dans un sens : il faut un lancer dans chaque sens.",
    "A beam missed the ball, or saw another: throw again.":
        "Une barrière a manqué la bille, ou en a vu une autre : relancez.",
    "Turning at {} rpm.": "Rotation à {} tr/min.",
    "No speed from {} to {} rpm was held: left out.":
        "Aucune vitesse de {} à {} tr/min n'a été tenue : étape passée.",
    "The zero mark is {} deg off compartment 0: the ball lay in another compartment than was"
    " said, or the encoder's disc has turned on its shaft.":
        "Le repère zéro est à {}° de la case 0 : la bille était dans une autre case que dite, ou"
        " le disque du codeur a tourné sur son axe.",
    "The zero mark is not sure enough: lay the ball into more compartments (--lays).":
        "Le repère zéro n'est pas assez sûr : posez la bille dans plus de cases (--lays).",
    "pocket{} is {} deg off the drawing: look at its cable and mount.":
        "pocket{} est à {}° du plan : voyez son câble et sa fixation.",
    "pocket{} answers {} ms later than the encoder: clean it, and look at its cable.":
        "pocket{} répond {} ms après le codeur : nettoyez-le, et voyez son câble.",
    "pocket{} is not sure enough: keep the ball still, and begin anew.":
        "pocket{} n'est pas assez sûr : que la bille ne bouge pas ; recommencez depuis le début.",
    "rim{} is {} deg off the drawing: look at its cable and mount.":
        "rim{} est à {}° du plan : voyez son câble et sa fixation.",
    "rim{} is not sure enough: throw the ball harder, and begin anew.":
        "rim{} n'est pas assez sûr : lancez la bille plus fort, et recommencez depuis le début.",
    "What was measured cannot be kept in {}: {}. Give another --state.":
        "Ce qui a été mesuré ne peut être gardé dans {} : {}. Donnez un autre --state.",
    "{}: {}. Remove it, or give another --state.":
        "{} : {}. Retirez-le, ou donnez un autre --state.",
    "{} is no calibration that was begun. Remove it, or give another --state.":
        "{} n'est pas un étalonnage commencé. Retirez-le, ou donnez un autre --state.",
    "Sign these?": "Signer ces valeurs ?",
    "Nothing is signed; begin again to sign what was measured.":
        "Rien n'est signé ; recommencez pour signer ce qui a été mesuré.",
    "Nothing was measured: every step was left out.":
        "Rien n'a été mesuré : toutes les étapes ont été passées.",
    "Nothing is signed. {}": "Rien n'est signé. {}",
    "It was stopped.": "Arrêté sur demande.",
    "This is a mistake in cylindre itself ({}).": "C'est une erreur de cylindre lui-même ({}).",
}
# fmt: on
