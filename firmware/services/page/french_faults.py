"""The French of firmware/core/faults.py: what is wrong and what to do; {}: the detail."""

# fmt: off
FAULTS = {
    "W21": (
        "La barrière {} est coupée depuis une seconde, la bille étant ailleurs.",
        "Nettoyez ou remplacez ce capteur de piste."),
    "W22": (
        "La barrière {} n'a pas vu une bille que d'autres capteurs ont vue.",
        "Nettoyez, alignez ou remplacez ce capteur de piste."),
    "W23": (
        "Le capteur de couronne {} n'a pas vu une bille que les autres ont vue.",
        "Nettoyez, alignez ou remplacez ce capteur de couronne."),
    "W24": (
        "Le capteur de couronne {} reste coupé alors que le cylindre tourne.",
        "Retirez ce qui est devant, ou remplacez le capteur."),
    "W25": (
        "L'extension {} ne répond pas, ou pas comme il faut.",
        "Vérifiez son câble et son alimentation ; ce qui est derrière reste en doute d'ici là."),
    "W26": (
        "L'extension {} a changé, mais pas sa ligne d'interruption.",
        "Vérifiez le câble de cette ligne ; d'ici là, un changement se voit jusqu'à 100 ms"
        " plus tard."),
    "W27": (
        "L'extension {} avait perdu ses réglages ; ils ont été refaits.",
        "Vérifiez son alimentation et sa ligne de remise à zéro."),
    "W31": (
        "Le compte du cylindre et son repère zéro diffèrent.",
        "Vérifiez câble, disque et repère ; si cela reste, levez le défaut ensuite : aucun"
        " numéro n'est donné avant."),
    "W32": (
        "Le repère zéro n'a pas été vu pendant plus d'un tour.",
        "Vérifiez le capteur du repère ; sans lui, aucun numéro n'est donné."),
    "W33": (
        "La ligne {} a perdu un front, ou n'est pas comme ses fronts le disent.",
        "Vérifiez le câble de cette ligne et la charge du contrôleur."),
    "W41": (
        "La coupelle {} contient quelque chose alors que la bille est ailleurs.",
        "Retirez-le, ou remplacez le capteur de cette coupelle, avant le prochain lancer."),
    "W42": (
        "Les coupelles {} contiennent quelque chose en même temps.",
        "Retirez la seconde bille ; s'il n'y en a pas, remplacez le capteur qui reste coupé."),
    "W51": (
        "Ce qui était appris de l'annonce n'est pas utilisé : {}.",
        "L'annonce repart avec prudence et apprend à nouveau ; rien à faire."),
    "W52": (
        "La bille ou la piste n'est plus ce qu'elle était : {}.",
        "Demandez quelle bille est jouée, regardez la piste et le niveau ; l'annonce apprend à"
        " nouveau."),
    "W53": (
        "Quel que soit son sens, la bille quitte souvent la piste près de {} degrés.",
        "Regardez la piste à cet endroit : un choc, une saleté ou un joint la fait tomber."),
    "C10": (
        "« Rien ne va plus » n'a pas pu être annoncé avant la chute de la bille.",
        "Vérifiez les capteurs de piste ; l'annonce repart avec prudence."),
    "C11": (
        "« Rien ne va plus » a été dit {} ms trop tard : la carte s'était arrêtée.",
        "Voyez ce qu'elle fait d'autre, son stockage et son alimentation ; le jeu continue."),
    "M10": (
        "Le cylindre est entraîné mais ne tourne pas.",
        "Libérez le cylindre, vérifiez l'alimentation du moteur, puis recommencez le coup."),
    "M11": (
        "Le cylindre tourne plus vite qu'il ne doit, ou sans commande.",
        "Le moteur est coupé. Faites vérifier l'entraînement avant de lever le défaut."),
    "M12": ("L'arrêt d'urgence est enfoncé.", "Relâchez-le, puis levez le défaut."),
    "M13": (
        "Le moteur consomme trop de courant.",
        "Libérez le cylindre, vérifiez le moteur, puis levez le défaut."),
    "M14": (
        "Le cylindre tourne à l'inverse de sa commande.",
        "Vérifiez le fil de sens du moteur et les voies du codeur."),
    "B10": (
        "La ligne des afficheurs est perdue : {}",
        "Vérifiez le port et son câble ; le résultat est envoyé quand la ligne revient."),
    "B11": (
        "L'afficheur {} ne répond pas.",
        "Vérifiez son alimentation, son câble, son adresse et sa clé."),
    "B12": (
        "L'afficheur {} n'affiche pas ce qui lui a été dit.",
        "Éteignez-le s'il montre un numéro ; faites ensuite vérifier l'afficheur, son câble et"
        " ses clés."),
    "B13": (
        "Deux afficheurs répondent à l'adresse {}.",
        "Éteignez l'un d'eux, ou donnez-lui une adresse et une clé à lui."),
    "B14": (
        "L'afficheur {} a cru un résultat plus récent que ceux du journal.",
        "Le journal est une ancienne copie, ou sa fin est perdue : comparez-le aux exports ;"
        " le jeu y est de nouveau montré une fois le journal adopté (cylindre journal adopt)."),
    "S10": (
        "L'enregistrement ne peut être écrit : {}",
        "Libérez ou remplacez le stockage ; rien n'est montré avant d'être enregistré."),
    "S11": (
        "Le registre des orphelins ne peut être écrit : {}",
        "Libérez ou remplacez le stockage ; les coups sont comptés dès que possible."),
    "S12": (
        "La FRAM à côté du journal est en défaut : {}",
        "Faites-la vérifier ce soir ; d'ici là, seul le journal enregistre les coups."),
    "S13": (
        "L'horloge est douteuse : {}",
        "Réglez-la, ou réparez son réseau ou sa puce ; les enregistrements disent ce que vaut"
        " leur heure."),
    "S14": (
        "Le stockage du journal est lent : {}",
        "Remplacez la carte avant qu'elle ne lâche ; elle est peut-être usée, ou pleine"
        " d'autres fichiers."),
    "L10": (
        "Le cylindre n'est pas de niveau : {}",
        "Réglez ses pieds ; si un niveau à bulle dit qu'il l'est, ajoutez ces valeurs à"
        " zero_x_deg et zero_y_deg."),
    "L11": (
        "Le capteur de niveau ne répond pas.",
        "Vérifiez le capteur, son câble et sa place ; personne ne surveille plus le niveau."),
    "L12": (
        "Les chutes le disent : le cylindre penche, côté bas près de {} degrés.",
        "Posez un niveau à bulle sur la cuvette et relevez les pieds de ce côté."),
    "T10": (
        "L'horloge à pile n'est pas réglée, ou s'est arrêtée.",
        "Changez sa pile et réglez-la avec hwclock."),
    "T11": (
        "L'horloge à pile ne répond pas.",
        "Vérifiez la puce et son câble, et qu'aucun pilote du noyau ne la tient."),
    "T12": (
        "Deux terminaux répondent à l'adresse {} ; les deux sont refusés.",
        "Éteignez l'un d'eux, ou donnez-lui une adresse et une clé à lui."),
    "T13": (
        "Le terminal {} ne répond pas, et un joueur y est assis.",
        "Vérifiez le terminal et son câble ; ce qu'il avait accepté prend toujours part."),
    "P10": (
        "Ce qui était demandé n'est pas fait : {}",
        "Regardez où en est le coup et redemandez."),
    "P11": (
        "Le prochain coup ne peut commencer que dans {} s.",
        "Attendez, puis lancez-le ; la maison règle ce rythme avec coup_s dans [pace]."),
    "P12": (
        "Un mauvais code PIN a été donné pour {}.",
        "Demandez à cette personne ; si nul ne s'est trompé, cherchez qui était au contrôleur."),
    "P14": (
        "Le numéro n'a pas pu être détecté : {}.",
        "Saisissez-le avec un membre de la direction (cylindre manual), ou annulez le coup."),
}
# What a fault's detail says, where that is a sentence; {} is filled in as it was.
DETAILS = {
    # W51: firmware/core/call/learned.py
    "nothing is recorded of this board": "rien n'est inscrit pour cette carte",
    "what was recorded is damaged": "ce qui était inscrit est abîmé",
    "it was recorded with another wheel, ball or beams":
        "c'était inscrit avec un autre cylindre, une autre bille ou d'autres barrières",
    "it was recorded by another version": "c'était inscrit par une autre version",
    # W52: firmware/core/call/change_detection.py
    "it slows {} than it did": "elle ralentit {} qu'avant",
    "less": "moins",
    "more": "plus",
    "its speed sways as it did not": "sa vitesse oscille, ce qu'elle ne faisait pas",
    "it leaves the track at another speed than it did":
        "elle quitte la piste à une autre vitesse qu'avant",
    "it leaves the track {} than it did": "elle quitte la piste {} qu'avant",
    "faster": "plus vite",
    "slower": "plus lentement",
    # L10, B10, S10, S14: firmware/run/slow_sensors.py, firmware/run/app.py,
    # firmware/store/journal.py
    "X {}, Y {} degrees.": "X {}, Y {} degrés.",
    "{} is gone.": "{} a disparu.",
    "{}: {} records wait already.": "{} : {} enregistrements attendent déjà.",
    "{}: the storage has been writing for {} s.": "{} : le stockage écrit depuis {} s.",
    "a commit took {} s.": "une écriture a pris {} s.",
    # S13: firmware/store/clock.py
    "it says {}, which cannot be.": "elle dit {}, ce qui ne peut être.",
    "it was set back to {}, and stands {} behind what was recorded.":
        "elle a été remise à {}, soit {} avant ce qui est inscrit.",
    "it says {}, {} after the last record.": "elle dit {}, {} après le dernier enregistrement.",
    "{} years": "{} ans",
    "{} days": "{} jours",
    "{} hours": "{} heures",
}
# fmt: on
