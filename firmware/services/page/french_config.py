"""The French of what the check of a configuration says, in the form of french_told.py."""

# fmt: off
MISTAKES = {
    "There is no {}.{}": "Il n'y a pas de {}.{}",
    'key "{}"': "clé « {} »",
    'key "{}" in [{}]': "clé « {} » dans [{}]",
    "section [{}]": "section [{}]",
    'Did you mean "{}"?': "Vouliez-vous dire « {} » ?",
    "Known: {}.": "Connus : {}.",
    '"{}" belongs in section [{}], not in [{}].':
        "« {} » va dans la section [{}], pas dans [{}].",
    "{} must be {}, not {}.{}": "{} doit être {}, pas {}.{}",
    "this": "ceci",
    "this text": "ce texte",
    "this number": "ce nombre",
    "[{}] is a section. Write its keys below a line [{}].":
        "[{}] est une section. Écrivez ses clés sous une ligne [{}].",
    "format must be {}, not {}.": "format doit être {}, pas {}.",
    "this file is of format {}, and this program reads {}. Update the program to one that reads"
    " it (cylindre update), or use a file of format {}.":
        "ce fichier est au format {}, et ce programme lit le {}. Mettez le programme à jour"
        " (cylindre update), ou prenez un fichier au format {}.",
    "this is not TOML: {}. A text stands in quotes.":
        "ce n'est pas du TOML : {}. Un texte se met entre guillemets.",
    "this is no configuration: a value is too long.":
        "ce n'est pas une configuration : une valeur est trop longue.",
    "longer than {} bytes, so not a configuration.":
        "plus de {} octets : ce n'est pas une configuration.",
    "there are {} files; {} at most are read. Join some of them.":
        "il y a {} fichiers ; {} au plus sont lus. Réunissez-en.",
    "{}. Give a file that can be read.": "{}. Donnez un fichier lisible.",
    "{}. Make it a folder that can be read, or remove it.":
        "{}. Faites-en un dossier lisible, ou retirez-le.",
    "this is not UTF-8 text. Save it as UTF-8.":
        "ce n'est pas un texte UTF-8. Enregistrez-le en UTF-8.",
    "this is no file. Remove it.": "ce n'est pas un fichier. Retirez-le.",
    "The path of the configuration has a null character.":
        "Le chemin de la configuration contient un caractère nul.",
    "no board is named: what depends on it is not checked. Name one here, or by --board.":
        "aucune carte n'est nommée : ce qui en dépend n'est pas vérifié. Nommez-la ici, ou par"
        " --board.",
}
WANTS = {
    "a file's path in quotes": "le chemin d'un fichier entre guillemets",
    "a folder's path in quotes": "le chemin d'un dossier entre guillemets",
    "a layout file's path in quotes": "le chemin d'un fichier de disposition entre guillemets",
    "a whole number of {} from {} to {}": "un nombre entier de {1} à {2} ({0})",
    "a number of {} from {} to {}": "un nombre de {1} à {2} ({0})",
    "true or false": "true ou false",
    "9, 18 or 36": "9, 18 ou 36",
    '"{}" or "{}"': "« {} » ou « {} »",
    'a name in quotes of 24 bytes at most, as "table-3"':
        "un nom entre guillemets d'au plus 24 octets, comme \"table-3\"",
    'a serial port in quotes, as "/dev/ttyUSB0"':
        'un port série entre guillemets, comme "/dev/ttyUSB0"',
    'a name in quotes, as "2026-27"': 'un nom entre guillemets, comme "2026-27"',
    "seconds": "secondes",
    "late calls": "annonces tardives",
    "turns a minute": "tours par minute",
    "bits a second": "bits par seconde",
    "cents": "centimes",
    "terminals": "terminaux",
    "degrees": "degrés",
    "times the minimum": "fois le minimum",
}
# What each key decides (firmware/config/keys.py).
MEANS = {
    "the board; left out: the command line says":
        "la carte ; sans elle : la ligne de commande le dit",
    "the wheel's name, in every record": "le nom du cylindre, dans chaque enregistrement",
    "how long the call takes; left out: {} s, as it is spoken, or 0 with terminals":
        "la durée de l'annonce ; sans elle : {} s, comme on la dit, ou 0 avec des terminaux",
    "so many calls may come after the drop": "combien d'annonces peuvent venir après la chute",
    "who makes a detected number official": "qui rend officiel un numéro détecté",
    "what becomes of a coup whose number is not detected; left out: people enter it where a"
    " croupier and the management have PINs, or the board has keys":
        "ce que devient un coup dont le numéro n'est pas détecté ; sans elle : des personnes le"
        " saisissent là où un croupier et le comité de direction ont un code PIN, ou si la carte a"
        " des clés",
    "who may, with a PIN (cylindre people)": "qui peut, avec un code PIN (cylindre people)",
    "least time between the beginnings of two coups":
        "le moindre temps entre les débuts de deux coups",
    "the rules; left out: the board's own": "les règles ; sans elle : celles de la carte",
    "an establishment's own order of compartments":
        "l'ordre des cases propre à l'établissement",
    "of the dish; left out: the board's": "de la boule ; sans elle : ceux de la carte",
    "the call so long after the throw's first beam; left out: at it":
        "l'annonce, tant après le premier faisceau du lancer ; sans elle : à ce moment",
    "whether each throw goes the other way": "si chaque lancer va dans l'autre sens",
    "who turns the rotor; left out: as the board is made":
        "qui tourne le cylindre ; sans elle : selon la carte",
    "how fast a motor turns it; left out: as the drive is set":
        "à quelle vitesse un moteur le tourne ; sans elle : selon le réglage de l'entraînement",
    "the line to displays and terminals; left out: the board's, where it has one":
        "la ligne vers les afficheurs et les terminaux ; sans elle : celle de la carte, si elle en"
        " a une",
    "the line's speed; left out: {}": "la vitesse de la ligne ; sans elle : {}",
    "on the line; left out: all that have a key": "sur la ligne ; sans elle : tous ceux qui ont une"
        " clé",
    "the keys of the wheel, its displays and terminals":
        "les clés du cylindre, de ses afficheurs et de ses terminaux",
    "the minimum that the authorisation fixes; without it no money is known here":
        "le minimum que fixe l'autorisation ; sans elle, aucun argent n'est connu ici",
    "the table's own, a multiple of it where the rules allow one":
        "celui de la table, un multiple du premier là où les règles l'admettent",
    "what the rules let change between seasons only, holds within one":
        "ce que les règles ne laissent changer qu'entre deux saisons tient pendant une saison",
    "the register of abandoned stakes; left out: beside the journal":
        "le registre des orphelins ; sans elle : à côté du journal",
    "the most a player may stake there; left out: the rules' lower bound":
        "le plus qu'un joueur peut y miser ; sans elle : la borne inférieure des règles",
    "where coups are recorded": "où les coups sont enregistrés",
    "stands in for the FRAM chip where there is none":
        "tient lieu de puce FRAM là où il n'y en a pas",
    "a tilt that is told": "une inclinaison qui est signalée",
    "what the sensor reads on a level wheel": "ce que le capteur lit sur un cylindre de niveau",
    "the same, across": "de même, en travers",
    "the machine is reset when the loop stands still so long; 0: never":
        "la machine redémarre quand la boucle s'arrête si longtemps ; 0 : jamais",
}
TOGETHER = {
    'target_rpm does nothing with drive = "hand": no motor turns the rotor.':
        'target_rpm ne fait rien avec drive = "hand" : aucun moteur ne tourne le cylindre.',
    "baud does nothing without a port: {} has no line of its own to displays.":
        "baud ne fait rien sans port : {} n'a pas de ligne à elle vers des afficheurs.",
    "{} leaves the maxima to the house. Give one, in minima, for {}.":
        "{} laisse les maxima à la maison. Donnez-en un, en minima, pour {}.",
    "there is no season: what may not change within one will never change. Name it.":
        "il n'y a pas de saison : ce qui ne peut changer pendant une saison ne changera jamais."
        " Nommez-la.",
    "a line of {} baud has time for {} terminals, not {}.":
        "une ligne à {} bauds a le temps pour {} terminaux, pas {}.",
    "a line of {} baud has time for {} displays{}, not {}.":
        "une ligne à {} bauds a le temps pour {} afficheurs{}, pas {}.",
    "beside {} terminals": "à côté de {} terminaux",
    "[stakes] minimum_cents is missing: nothing else of it holds without.":
        "[stakes] minimum_cents manque : rien d'autre n'y vaut sans lui.",
    "nobody can enter a number yet: {} needs a croupier and one of the management.":
        "personne ne peut encore saisir de numéro : il faut dans {} un croupier et un membre du"
        " comité de direction.",
    "See cylindre people --help.": "Voir cylindre people --help.",
    "{} is not for you to read, so it is not checked.":
        "{} ne vous est pas lisible, donc n'est pas vérifié.",
    "{} names the file of {}. Each needs one of its own.":
        "{} nomme le fichier de {}. Il en faut un à chacun.",
    "{}: the wheel may not write there. Give {}.":
        "{} : le cylindre ne peut pas y écrire. Donnez {}.",
    "rules: {} is not played on {}; use {}.": "rules : {} ne se joue pas sur {} ; prenez {}.",
    "layout: nobody has verified the order of the cases of {}. Give the establishment's own as a"
    ' file: layout = "cases.toml".':
        "layout : personne n'a vérifié l'ordre des cases de {}. Donnez celui de l'établissement"
        ' par un fichier : layout = "cases.toml".',
    "{}: {} {}. Leave the key out.": "{} : {} {}. Retirez la clé.",
    "{} is no boule board": "{} n'est pas une carte de boule",
    "is no boule board": "n'est pas une carte de boule",
    "has no rotor": "n'a pas de cylindre",
    "table_minimum_cents must be {} where minimum_cents is {} ({}, {}), not {}.":
        "table_minimum_cents doit être {} quand minimum_cents est {} ({}, {}), pas {}.",
    'maximum_multiples must be an object, as {"plein": 20}.':
        'maximum_multiples doit être un objet, comme {"plein": 20}.',
    "{} must be a whole number from 1 to {}.": "{} doit être un nombre entier de 1 à {}.",
    "there is no bet {} in {}: its bets are {}.":
        "il n'y a pas de mise {} dans {} : ses mises sont {}.",
    "from {} to {}": "de {} à {}",
    "{} must be {} ({}, {}), not {}.": "{} doit être {} ({}, {}), pas {}.",
}
# What tomllib of Python 3.11 to 3.13 complains of, its first letter small.
TOML = {
    "expected '=' after a key in a key/value pair": "il faut « = » après la clé",
    "expected newline or end of document after a statement":
        "il faut une fin de ligne après la valeur",
    "invalid statement": "cette ligne ne dit rien",
    "invalid value": "valeur incorrecte",
    "invalid date or datetime": "date incorrecte",
    "invalid initial character for a key part": "une clé ne peut commencer ainsi",
    "invalid hex value": "valeur hexadécimale incorrecte",
    "cannot overwrite a value": "cette clé est déjà donnée",
    "cannot declare {} twice": "{} est déjà donné",
    "cannot mutate immutable namespace {}": "{} est déjà fermé",
    "cannot redefine namespace {}": "{} est déjà donné",
    "duplicate inline table key {}": "{} est déjà donné",
    "unclosed array": "« ] » manque",
    "unclosed inline table": "« } » manque",
    "unterminated string": "le guillemet de la fin manque",
    "unescaped '\\' in a string": "« \\ » seul dans un texte",
    "illegal character {}": "caractère interdit {}",
    "found invalid character {}": "caractère interdit {}",
    "expected {}": "il faut {}",
    "expected ']' at the end of a table declaration": "il faut « ] » après le nom de la section",
    "expected ']]' at the end of an array declaration": "il faut « ]] » après le nom",
    "escaped character is not a Unicode scalar value":
        "ce caractère échappé n'est pas de l'Unicode",
}
# fmt: on
